/** Queues the keys of changed resources for the workers that reconcile them. */
@NullMarked
package dev.orloj.controllers.workqueue;

import org.jspecify.annotations.NullMarked;

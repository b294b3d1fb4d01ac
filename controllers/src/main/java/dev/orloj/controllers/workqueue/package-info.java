/** The queue between what happened and who deals with it. */
@NullMarked
package dev.orloj.controllers.workqueue;

import org.jspecify.annotations.NullMarked;

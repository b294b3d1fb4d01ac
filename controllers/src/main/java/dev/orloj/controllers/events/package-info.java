/** Records Kubernetes events, which inform people about changes of a resource. */
@NullMarked
package dev.orloj.controllers.events;

import org.jspecify.annotations.NullMarked;

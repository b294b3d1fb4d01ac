/** Caches collections in memory with a watch and notifies handlers of changes. */
@NullMarked
package dev.orloj.controllers.informer;

import org.jspecify.annotations.NullMarked;

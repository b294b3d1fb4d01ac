/** Collects resources whose owners are gone. */
@NullMarked
package dev.orloj.controllers.gc;

import org.jspecify.annotations.NullMarked;

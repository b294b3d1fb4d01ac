/** Collects what has outlived its owners. */
@NullMarked
package dev.orloj.controllers.gc;

import org.jspecify.annotations.NullMarked;

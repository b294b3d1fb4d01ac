/** Bounds how many servers start at the same time, which is what keeps the processors busy. */
@NullMarked
package dev.orloj.runtime.start;

import org.jspecify.annotations.NullMarked;

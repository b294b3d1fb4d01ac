/** Finds what a misspelled word was meant to be. */
@NullMarked
package dev.orloj.api.spelling;

import org.jspecify.annotations.NullMarked;

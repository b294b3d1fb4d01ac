/** Finds the intended word for a misspelled one. */
@NullMarked
package dev.orloj.api.spelling;

import org.jspecify.annotations.NullMarked;

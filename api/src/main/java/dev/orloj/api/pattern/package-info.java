/** Patterns that select names. */
@NullMarked
package dev.orloj.api.pattern;

import org.jspecify.annotations.NullMarked;

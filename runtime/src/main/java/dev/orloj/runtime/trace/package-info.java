/** The timing of calls. */
@NullMarked
package dev.orloj.runtime.trace;

import org.jspecify.annotations.NullMarked;

/** The clock and the scheduler, which tests can advance manually. */
@NullMarked
package dev.orloj.runtime.clock;

import org.jspecify.annotations.NullMarked;

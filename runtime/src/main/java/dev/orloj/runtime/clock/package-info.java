/** Time and timers, from one source that tests can move. */
@NullMarked
package dev.orloj.runtime.clock;

import org.jspecify.annotations.NullMarked;

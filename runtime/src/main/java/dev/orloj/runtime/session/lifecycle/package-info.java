/** The states of a session, and the timers that move it from one to the next. */
@NullMarked
package dev.orloj.runtime.session.lifecycle;

import org.jspecify.annotations.NullMarked;

/** Where the time of a call goes. */
@NullMarked
package dev.orloj.runtime.trace;

import org.jspecify.annotations.NullMarked;

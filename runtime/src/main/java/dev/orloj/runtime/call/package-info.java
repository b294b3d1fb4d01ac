/** Tool calls, from the name and the arguments to the outcome. */
@NullMarked
package dev.orloj.runtime.call;

import org.jspecify.annotations.NullMarked;

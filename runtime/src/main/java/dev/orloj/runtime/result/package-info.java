/** How much of a result goes to a caller at once, and where the whole of it is kept meanwhile. */
@NullMarked
package dev.orloj.runtime.result;

import org.jspecify.annotations.NullMarked;

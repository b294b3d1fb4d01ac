/** What becomes of arguments that do not fit the input schema of their tool. */
@NullMarked
package dev.orloj.runtime.argument;

import org.jspecify.annotations.NullMarked;

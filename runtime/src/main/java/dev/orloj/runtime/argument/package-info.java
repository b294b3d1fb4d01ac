/** Handling of arguments that do not match the input schema of their tool. */
@NullMarked
package dev.orloj.runtime.argument;

import org.jspecify.annotations.NullMarked;

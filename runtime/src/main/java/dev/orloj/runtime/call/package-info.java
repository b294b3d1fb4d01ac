/** One tool call, from its name and arguments to its outcome. */
@NullMarked
package dev.orloj.runtime.call;

import org.jspecify.annotations.NullMarked;

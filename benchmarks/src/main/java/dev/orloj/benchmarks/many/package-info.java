/** Many resources applied at once by {@code orlojctl}. */
@NullMarked
package dev.orloj.benchmarks.many;

import org.jspecify.annotations.NullMarked;

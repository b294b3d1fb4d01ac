/** Limits of calls and processes: concurrency, rate, circuit breaker and quotas. */
@NullMarked
package dev.orloj.runtime.limit;

import org.jspecify.annotations.NullMarked;

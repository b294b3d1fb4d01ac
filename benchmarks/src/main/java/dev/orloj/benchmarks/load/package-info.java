/** Drives load in a closed loop and keeps the latencies. */
@NullMarked
package dev.orloj.benchmarks.load;

import org.jspecify.annotations.NullMarked;

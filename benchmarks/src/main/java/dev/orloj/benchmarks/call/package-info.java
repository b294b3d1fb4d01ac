/** Tool calls through the front door, beside the least that such a call can cost. */
@NullMarked
package dev.orloj.benchmarks.call;

import org.jspecify.annotations.NullMarked;

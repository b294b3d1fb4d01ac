/** The command that runs the benchmarks and reports what they found. */
@NullMarked
package dev.orloj.benchmarks;

import org.jspecify.annotations.NullMarked;

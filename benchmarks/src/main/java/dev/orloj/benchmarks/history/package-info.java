/** Ratios over time: a file of them in the repository, and the comparison of two commits. */
@NullMarked
package dev.orloj.benchmarks.history;

import org.jspecify.annotations.NullMarked;

/** Servers in containers, beside the same containers started by hand. */
@NullMarked
package dev.orloj.benchmarks.container;

import org.jspecify.annotations.NullMarked;

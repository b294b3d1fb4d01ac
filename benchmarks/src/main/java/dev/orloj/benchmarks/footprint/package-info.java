/** How fast orlojd is there, and what it needs while nothing happens. */
@NullMarked
package dev.orloj.benchmarks.footprint;

import org.jspecify.annotations.NullMarked;

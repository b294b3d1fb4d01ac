/** How long a change takes from the database to those who watch. */
@NullMarked
package dev.orloj.benchmarks.watch;

import org.jspecify.annotations.NullMarked;

/** Writes to the store, beside what PostgreSQL itself can do. */
@NullMarked
package dev.orloj.benchmarks.store;

import org.jspecify.annotations.NullMarked;

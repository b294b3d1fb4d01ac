/** A PostgreSQL with the product's schema, for benchmarks that reach below the front door. */
@NullMarked
package dev.orloj.benchmarks.database;

import org.jspecify.annotations.NullMarked;

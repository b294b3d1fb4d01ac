/** What many replicas on one PostgreSQL cost, beside what a single one costs. */
@NullMarked
package dev.orloj.benchmarks.replicas;

import org.jspecify.annotations.NullMarked;

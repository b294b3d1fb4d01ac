/** What was measured: tables for people, one JSON file for machines. */
@NullMarked
package dev.orloj.benchmarks.report;

import org.jspecify.annotations.NullMarked;

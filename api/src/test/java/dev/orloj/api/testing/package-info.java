/** Test kit: a store in memory, faults on demand, a clock set by hand and a linter of statuses. */
@NullMarked
package dev.orloj.api.testing;

import org.jspecify.annotations.NullMarked;

/** What authentication, authorization and the audit log add to a call. */
@NullMarked
package dev.orloj.benchmarks.access;

import org.jspecify.annotations.NullMarked;

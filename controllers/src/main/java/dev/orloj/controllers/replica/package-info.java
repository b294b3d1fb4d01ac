/** Describes the replicas of orlojd, their Leases, and their addresses. */
@NullMarked
package dev.orloj.controllers.replica;

import org.jspecify.annotations.NullMarked;

/** Requests between the replicas of orlojd, over HTTP. */
@NullMarked
package dev.orloj.server.replica;

import org.jspecify.annotations.NullMarked;

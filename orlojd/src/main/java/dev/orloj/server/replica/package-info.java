/** What the replicas of orlojd ask of each other, over HTTP. */
@NullMarked
package dev.orloj.server.replica;

import org.jspecify.annotations.NullMarked;

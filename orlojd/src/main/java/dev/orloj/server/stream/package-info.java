/** Bounded queues between what happens and the streams of clients. */
@NullMarked
package dev.orloj.server.stream;

import org.jspecify.annotations.NullMarked;

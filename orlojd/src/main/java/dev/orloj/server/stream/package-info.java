/** Bounded queues between sources of events and the streams of clients. */
@NullMarked
package dev.orloj.server.stream;

import org.jspecify.annotations.NullMarked;

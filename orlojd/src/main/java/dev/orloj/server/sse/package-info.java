/** Responses that are streams of server-sent events. */
@NullMarked
package dev.orloj.server.sse;

import org.jspecify.annotations.NullMarked;

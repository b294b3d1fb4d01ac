/** The metrics of the server. */
@NullMarked
package dev.orloj.server.metrics;

import org.jspecify.annotations.NullMarked;

/** What the server counts and times. */
@NullMarked
package dev.orloj.server.metrics;

import org.jspecify.annotations.NullMarked;

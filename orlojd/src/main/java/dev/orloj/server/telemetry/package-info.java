/** The telemetry that the server exports to an OpenTelemetry collector. */
@NullMarked
package dev.orloj.server.telemetry;

import org.jspecify.annotations.NullMarked;

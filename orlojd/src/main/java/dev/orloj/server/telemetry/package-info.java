/** What the server tells a collector of OpenTelemetry. */
@NullMarked
package dev.orloj.server.telemetry;

import org.jspecify.annotations.NullMarked;

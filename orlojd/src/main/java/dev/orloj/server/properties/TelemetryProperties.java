package dev.orloj.server.properties;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;

/**
 * Settings of the OpenTelemetry export.
 *
 * @param otlpEndpoint base address of an OTLP/HTTP collector; empty for none
 */
@ConfigurationProperties("orloj.telemetry")
public record TelemetryProperties(@DefaultValue("") String otlpEndpoint) {

    public static final String OTLP_ENDPOINT = "orloj.telemetry.otlp-endpoint";

    public TelemetryProperties {
        if (!otlpEndpoint.isEmpty() && !isCollector(otlpEndpoint)) {
            throw new IllegalArgumentException(
                    "%s is \"%s\"; give an http or https URL such as http://localhost:4318"
                            .formatted(OTLP_ENDPOINT, otlpEndpoint));
        }
    }

    /** Returns whether the text is valid as the address of a collector. */
    public static boolean isCollector(String text) {
        try {
            URI uri = new URI(text);
            return uri.getHost() != null && List.of("http", "https").contains(uri.getScheme());
        } catch (URISyntaxException e) {
            return false;
        }
    }
}

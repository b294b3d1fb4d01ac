package dev.orloj.server.properties;

import dev.orloj.api.Frozen;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;
import java.util.Set;

/**
 * Settings of the MCP endpoints.
 *
 * @param allowedOrigins web pages that may use them in addition to those of orlojd itself, such as
 *     {@code https://agents.example.com}
 * @param inputTimeout how long a client may take to answer a request of a server during a call
 * @param exposeSse whether every endpoint is also served over HTTP+SSE
 */
@ConfigurationProperties("orloj.mcp")
public record McpProperties(
        @DefaultValue Set<String> allowedOrigins,
        @DefaultValue("10m") Duration inputTimeout,
        @DefaultValue("false") boolean exposeSse) {

    public McpProperties {
        allowedOrigins = Frozen.set(allowedOrigins);
    }
}

package dev.orloj.server.properties;

import dev.orloj.api.Frozen;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;
import java.util.Set;

/**
 * The MCP endpoints for agents.
 *
 * @param allowedOrigins web pages that may use them beside those of orlojd itself, such as {@code
 *     https://agents.example.com}
 * @param inputTimeout how long an agent may take to answer what a server asks during its call
 * @param exposeSse whether every endpoint is served over HTTP+SSE, too
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

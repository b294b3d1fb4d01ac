package dev.orloj.server.properties;

import dev.orloj.api.ByteSize;
import dev.orloj.runtime.listing.ListingLimits;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Upper bounds of the tool limits that McpServers may set.
 *
 * @param maxTools ceiling of {@code spec.tool_limits.max_tools}
 * @param maxBytes ceiling of {@code spec.tool_limits.max_bytes}
 * @param maxPages ceiling of {@code spec.tool_limits.max_pages}
 */
@ConfigurationProperties("orloj.tool-limits")
public record ToolLimitProperties(
        @DefaultValue("10000") long maxTools,
        @DefaultValue("64Mi") ByteSize maxBytes,
        @DefaultValue("1000") long maxPages) {

    public ToolLimitProperties {
        requirePositive("max-tools", maxTools);
        requirePositive("max-bytes", maxBytes.bytes());
        requirePositive("max-pages", maxPages);
    }

    private static void requirePositive(String property, long given) {
        if (given < 1) {
            throw new IllegalArgumentException(
                    "orloj.tool-limits.%s is %d; give at least 1".formatted(property, given));
        }
    }

    public ListingLimits.Ceilings ceilings() {
        return new ListingLimits.Ceilings(maxTools, maxBytes.bytes(), maxPages);
    }
}

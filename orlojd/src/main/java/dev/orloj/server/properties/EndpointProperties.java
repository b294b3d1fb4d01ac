package dev.orloj.server.properties;

import dev.orloj.runtime.network.EndpointAddresses;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.util.List;

/**
 * Which addresses the endpoints of manifests may lead to, as {@link EndpointAddresses} has it.
 *
 * @param deny beside link-local addresses and the metadata services of clouds
 * @param allow what is not denied in spite of that
 */
@ConfigurationProperties("orloj.endpoints")
public record EndpointProperties(
        @DefaultValue List<String> deny, @DefaultValue List<String> allow) {

    public EndpointProperties {
        deny = List.copyOf(deny);
        allow = List.copyOf(allow);
    }

    /**
     * @throws InvalidConfigurationException naming what is no address
     */
    public EndpointAddresses toAddresses() {
        try {
            return new EndpointAddresses(deny, allow);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException("orloj.endpoints: " + e.getMessage(), e);
        }
    }
}

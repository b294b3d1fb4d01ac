package dev.orloj.server.properties;

import dev.orloj.runtime.network.EndpointAddresses;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.util.List;

/**
 * Settings for the addresses that endpoints in manifests may use; see {@link EndpointAddresses}.
 *
 * @param deny denied in addition to link-local addresses and the metadata services of clouds
 * @param allow exceptions from all denied addresses
 */
@ConfigurationProperties("orloj.endpoints")
public record EndpointProperties(
        @DefaultValue List<String> deny, @DefaultValue List<String> allow) {

    public EndpointProperties {
        deny = List.copyOf(deny);
        allow = List.copyOf(allow);
    }

    /**
     * @throws InvalidConfigurationException naming the entry that is not an address
     */
    public EndpointAddresses toAddresses() {
        try {
            return new EndpointAddresses(deny, allow);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException("orloj.endpoints: " + e.getMessage(), e);
        }
    }
}

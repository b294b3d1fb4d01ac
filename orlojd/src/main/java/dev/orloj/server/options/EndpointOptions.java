package dev.orloj.server.options;

import dev.orloj.runtime.network.EndpointAddresses;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.util.List;
import java.util.Map;

/** The options of orlojd that limit the addresses that endpoints of servers may resolve to. */
final class EndpointOptions {

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec mixee;

    @Option(
            names = "--endpoint-deny",
            paramLabel = "ADDRESS",
            split = ",",
            description =
                    "Where endpoints of servers may not lead, beside link-local addresses and the"
                            + " metadata services of clouds: an address, a network such as"
                            + " 10.0.0.0/8, private or loopback; may be given several times."
                            + " Default: none.")
    private @Nullable List<String> denied;

    @Option(
            names = "--endpoint-allow",
            paramLabel = "ADDRESS",
            split = ",",
            description =
                    "Where they may lead nevertheless, likewise. What is allowed is not denied."
                            + " Default: none.")
    private @Nullable List<String> allowed;

    /** Adds the given options. */
    void addTo(Map<String, Object> properties) {
        add("--endpoint-deny", "orloj.endpoints.deny", denied, properties);
        add("--endpoint-allow", "orloj.endpoints.allow", allowed, properties);
    }

    private void add(
            String option,
            String property,
            @Nullable List<String> entries,
            Map<String, Object> properties) {
        if (entries == null) {
            return;
        }
        try {
            properties.put(property, String.join(",", EndpointAddresses.checked(entries)));
        } catch (IllegalArgumentException e) {
            if (mixee == null) {
                throw new IllegalStateException("not parsed by picocli", e);
            }
            throw new ParameterException(mixee.commandLine(), option + " " + e.getMessage());
        }
    }
}

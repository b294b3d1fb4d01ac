package dev.orloj.api.policy;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which networks containers of servers and Sandboxes may have.
 *
 * @param modes the modes that are allowed; null for all
 * @param hosts the only hosts that a network may reach: names, or {@code *.domain} for all names
 *     below a domain; null for any
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonNaming(SnakeCaseStrategy.class)
public record NetworkRule(@Nullable List<String> modes, @Nullable List<String> hosts) {

    private static final Pattern PORT = Pattern.compile(":[0-9]+$");

    public NetworkRule {
        modes = modes == null ? null : List.copyOf(modes);
        hosts = hosts == null ? null : List.copyOf(hosts);
    }

    /** Returns why a mode is not allowed; empty if it is. */
    public Optional<String> modeObjection(String mode) {
        return modes == null || modes.contains(mode)
                ? Optional.empty()
                : Optional.of("allowed modes: " + String.join(", ", modes));
    }

    /** Returns why a network that reaches all hosts is not allowed; empty if it is. */
    public Optional<String> openObjection() {
        return hosts == null
                ? Optional.empty()
                : Optional.of("allowed hosts: " + String.join(", ", hosts));
    }

    /**
     * Returns why a host is not allowed; empty if it is.
     *
     * @param host a name or {@code *.domain}, either with a port, which counts for nothing
     */
    public Optional<String> hostObjection(String host) {
        String name = PORT.matcher(host.toLowerCase(Locale.ROOT)).replaceFirst("");
        return hosts == null
                        || hosts.stream()
                                .anyMatch(allowed -> covers(allowed.toLowerCase(Locale.ROOT), name))
                ? Optional.empty()
                : Optional.of("allowed hosts: " + String.join(", ", hosts));
    }

    private static boolean covers(String allowed, String name) {
        if (!allowed.startsWith("*.")) {
            return name.equals(allowed);
        }
        String suffix = allowed.substring(1);
        return name.equals(allowed) || name.endsWith(suffix) && name.length() > suffix.length();
    }
}

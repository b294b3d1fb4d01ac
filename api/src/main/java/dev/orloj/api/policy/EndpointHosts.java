package dev.orloj.api.policy;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which hosts servers and tools may reach over HTTP.
 *
 * @param hosts names or addresses, or {@code *.domain} for all names below a domain
 */
public record EndpointHosts(List<String> hosts) {

    private static final Pattern ORIGIN =
            Pattern.compile(
                    "(?i)https?://(?<host>\\[[0-9a-f:.]+]|[a-z0-9._-]+)(?::[0-9]*)?(?:[/?#].*)?");

    public EndpointHosts {
        hosts = hosts == null ? List.of() : List.copyOf(hosts);
    }

    /** Returns why the endpoint is not allowed; empty if it is. */
    public Optional<String> objection(String endpoint) {
        Matcher parts = ORIGIN.matcher(endpoint.strip());
        if (!parts.matches()) {
            return Optional.of("the endpoint names no host");
        }
        String host = parts.group("host").toLowerCase(Locale.ROOT).replaceAll("\\.$", "");
        return hosts.stream().anyMatch(allowed -> matches(allowed.toLowerCase(Locale.ROOT), host))
                ? Optional.empty()
                : Optional.of("allowed hosts: " + String.join(", ", hosts));
    }

    private static boolean matches(String allowed, String host) {
        return allowed.startsWith("*.")
                ? host.endsWith(allowed.substring(1)) && host.length() >= allowed.length()
                : host.equals(allowed);
    }
}

package dev.orloj.api.v1;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Validates the fields of a container, for every kind that has them. */
final class ContainerRules {

    /** The engine refuses less than this. */
    private static final long LEAST_MEMORY_BYTES = 6L * 1024 * 1024;

    private static final long LEAST_NANO_CPUS = 10_000_000;
    private static final long LARGEST_ID = Integer.MAX_VALUE;
    private static final int LARGEST_PORT = 65_535;
    private static final Pattern USER = Pattern.compile("(\\d{1,10})(?::(\\d{1,10}))?");
    private static final Pattern HOST =
            Pattern.compile(
                    "(?:\\*\\.)?[a-z0-9](?:[a-z0-9-]{0,62})(?:\\.[a-z0-9](?:[a-z0-9-]{0,62}))*"
                            + "(?::(\\d{1,5}))?");

    private static final int LONGEST_IMAGE = 512;

    /** A first part without a dot or a port is not a registry, so it must be lowercase too. */
    private static final Pattern IMAGE =
            Pattern.compile(
                    "(?:(?:localhost|[a-zA-Z0-9-]+(?:\\.[a-zA-Z0-9-]+)+|[a-zA-Z0-9-]+(?=:)"
                            + "|\\[[a-fA-F0-9:]+])(?::\\d{1,5})?/)?"
                            + "[a-z0-9]+(?:(?:[./]|_{1,2}|-+)[a-z0-9]+)*"
                            + "(?::\\w[\\w.-]{0,127})?"
                            + "(?:@[a-z0-9]+:[a-fA-F0-9]{32,128})?");

    private ContainerRules() {}

    /**
     * Accepts the image names that an engine accepts, so that a typo is reported when the resource
     * is written.
     */
    static void checkImage(FieldPath path, String image, List<FieldError> errors) {
        if (image.length() > LONGEST_IMAGE || !IMAGE.matcher(image).matches()) {
            errors.add(
                    FieldError.invalid(
                            path,
                            image,
                            "must be an image, such as mcp/gmail, ghcr.io/owner/server:1.2 or one"
                                    + " with @sha256:..., in lower case but for registry and tag"));
        }
    }

    static void checkResources(
            FieldPath path, ContainerResources resources, List<FieldError> errors) {
        if (resources.memory() != null && resources.memory().bytes() < LEAST_MEMORY_BYTES) {
            errors.add(
                    FieldError.invalid(
                            path.child("memory"),
                            resources.memory().text(),
                            "must be at least 6m, which is the least that the engine takes"));
        }
        if (resources.cpus() != null && resources.cpus().nanos() < LEAST_NANO_CPUS) {
            errors.add(
                    FieldError.invalid(
                            path.child("cpus"), resources.cpus().text(), "must be at least 0.01"));
        }
        if (resources.tmpSize() != null && resources.tmpSize().bytes() == 0) {
            errors.add(
                    FieldError.invalid(
                            path.child("tmp_size"),
                            resources.tmpSize().text(),
                            "must be more than 0"));
        }
        if (!resources.user().isEmpty() && !isUser(resources.user())) {
            errors.add(
                    FieldError.invalid(
                            path.child("user"),
                            resources.user(),
                            "must be a numeric uid, or uid:gid, such as 1000:1000"));
        }
    }

    private static boolean isUser(String text) {
        var matcher = USER.matcher(text);
        return matcher.matches()
                && Long.parseLong(matcher.group(1)) <= LARGEST_ID
                && (matcher.group(2) == null || Long.parseLong(matcher.group(2)) <= LARGEST_ID);
    }

    static void checkNetwork(FieldPath path, ContainerNetwork network, List<FieldError> errors) {
        boolean hosts = !network.allowHosts().isEmpty();
        if (hosts && network.mode() != null && network.mode() != ContainerNetwork.Mode.ISOLATED) {
            errors.add(
                    FieldError.forbidden(
                            path.child("allow_hosts"), "only together with mode isolated"));
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < network.allowHosts().size(); i++) {
            String host = network.allowHosts().get(i);
            FieldPath place = path.child("allow_hosts").index(i);
            if (!isHost(host)) {
                errors.add(
                        FieldError.invalid(
                                place,
                                host,
                                "must be a host in lower case, *.domain for all below one, or"
                                        + " either with :port"));
            } else if (!seen.add(host)) {
                errors.add(FieldError.duplicate(place, host));
            }
        }
    }

    private static boolean isHost(String text) {
        var matcher = HOST.matcher(text);
        if (!matcher.matches()) {
            return false;
        }
        String port = matcher.group(1);
        return port == null
                || (Integer.parseInt(port) > 0 && Integer.parseInt(port) <= LARGEST_PORT);
    }
}

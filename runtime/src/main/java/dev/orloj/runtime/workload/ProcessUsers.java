package dev.orloj.runtime.workload;

import dev.orloj.api.Frozen;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The accounts of host processes by the namespace of their server. Immutable.
 *
 * @param usual the account of the namespaces without one of their own; null for that of orlojd
 */
public record ProcessUsers(@Nullable ProcessUser usual, Map<String, ProcessUser> byNamespace) {

    /** Every process runs as the user of orlojd. */
    public static final ProcessUsers NONE = new ProcessUsers(null, Map.of());

    private static final Pattern RULE =
            Pattern.compile("(?:([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)=)?([^\\s=:,/-][^\\s=:,/]*)");

    public ProcessUsers {
        byNamespace = Frozen.map(byNamespace);
    }

    /**
     * Returns why rules cannot be used; empty when they can. Does not look at the accounts.
     *
     * @param rules each USER, or NAMESPACE=USER
     */
    public static Optional<String> objection(List<String> rules) {
        Set<String> namespaces = new LinkedHashSet<>();
        for (String rule : rules) {
            Matcher matcher = RULE.matcher(rule);
            if (!matcher.matches()) {
                return Optional.of("\"%s\": expected USER or NAMESPACE=USER".formatted(rule));
            }
            if (!namespaces.add(String.valueOf(matcher.group(1)))) {
                return Optional.of(
                        matcher.group(1) == null
                                ? "\"%s\": there is another user for all namespaces".formatted(rule)
                                : "\"%s\": the namespace has another user".formatted(rule));
            }
        }
        return Optional.empty();
    }

    /**
     * Looks the accounts up.
     *
     * @param rules without an {@link #objection}
     * @throws WorkloadException when one cannot be used
     */
    public static ProcessUsers of(List<String> rules) throws InterruptedException {
        ProcessUser usual = null;
        Map<String, ProcessUser> byNamespace = new HashMap<>();
        for (String rule : rules) {
            Matcher matcher = RULE.matcher(rule);
            if (!matcher.matches()) {
                throw new IllegalArgumentException(rule);
            }
            ProcessUser user = ProcessUser.find(matcher.group(2));
            String namespace = matcher.group(1);
            if (namespace == null) {
                usual = user;
            } else {
                byNamespace.put(namespace, user);
            }
        }
        return new ProcessUsers(usual, byNamespace);
    }

    /** Returns the account for servers of a namespace; empty for that of orlojd. */
    public Optional<ProcessUser> of(String namespace) {
        return Optional.ofNullable(byNamespace.getOrDefault(namespace, usual));
    }

    /** Returns every account once. */
    Collection<ProcessUser> all() {
        List<ProcessUser> all = new ArrayList<>(byNamespace.values());
        if (usual != null) {
            all.add(usual);
        }
        return new LinkedHashSet<>(all);
    }
}

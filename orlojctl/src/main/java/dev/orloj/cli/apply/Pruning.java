package dev.orloj.cli.apply;

import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.core.ConfigMap;
import dev.orloj.api.core.CoreSecret;
import dev.orloj.api.core.Secret;
import dev.orloj.api.v1.Kinds;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.api.v1.Tool;

import java.util.List;
import java.util.Optional;

/** Selects which resources an apply deletes because no manifest contains them any more. */
public sealed interface Pruning {

    /** The kinds that are pruned by default. */
    List<Kind<?>> KINDS =
            List.of(Tool.KIND, McpServer.KIND, Sandbox.KIND, Secret.KIND, ConfigMap.KIND);

    /** Prunes nothing. */
    record None() implements Pruning {}

    /**
     * Prunes resources that the field manager applied before.
     *
     * @param labels a selector, empty for all
     */
    record ByManager(String labels, List<Kind<?>> kinds) implements Pruning {}

    /** Prunes members of an ApplySet. */
    record OfSet(Kind<?> kind, ResourceKey parent) implements Pruning {}

    /** The options of the command, compatible with {@code kubectl}. */
    record Options(
            boolean prune,
            Optional<String> labels,
            boolean all,
            Optional<String> applySet,
            List<String> allowlist) {

        /**
         * @param namespace of the parent of an ApplySet
         * @throws IllegalArgumentException when the options contradict each other; the message
         *     states the remedy
         */
        public Pruning in(String namespace) {
            if (all && labels.isPresent()) {
                throw new IllegalArgumentException("--all and --selector exclude each other");
            }
            if (!prune) {
                return notPruning();
            }
            if (applySet.isPresent()) {
                if (all || labels.isPresent() || !allowlist.isEmpty()) {
                    throw new IllegalArgumentException(
                            "--applyset says what is pruned: leave --selector, --all and"
                                    + " --prune-allowlist out");
                }
                return set(applySet.get(), namespace);
            }
            if (!all && labels.isEmpty()) {
                throw new IllegalArgumentException(
                        "--prune deletes what no manifest has: say of what with --selector LABELS,"
                                + " --applyset NAME or --all");
            }
            List<Kind<?>> kinds =
                    allowlist.isEmpty() ? KINDS : allowlist.stream().map(Pruning::kind).toList();
            return new ByManager(labels.orElse(""), kinds);
        }

        private Pruning notPruning() {
            if (applySet.isPresent() || all || !allowlist.isEmpty()) {
                throw new IllegalArgumentException(
                        "%s needs --prune"
                                .formatted(
                                        applySet.isPresent()
                                                ? "--applyset"
                                                : all ? "--all" : "--prune-allowlist"));
            }
            return new None();
        }
    }

    /** Parses {@code NAME} of a Secret, {@code secrets/NAME} or {@code configmaps/NAME}. */
    private static Pruning set(String text, String namespace) {
        int slash = text.indexOf('/');
        String name = text.substring(slash + 1);
        Optional<Kind<?>> kind =
                switch (slash < 0 ? "secret" : text.substring(0, slash)) {
                    case "secret", "secrets" -> Optional.of(CoreSecret.KIND);
                    case "configmap", "configmaps", "cm" -> Optional.of(ConfigMap.KIND);
                    default -> Optional.empty();
                };
        if (kind.isEmpty() || name.isEmpty() || name.indexOf('/') >= 0) {
            throw new IllegalArgumentException(
                    "--applyset \"%s\": expected NAME, secrets/NAME or configmaps/NAME"
                            .formatted(text));
        }
        return new OfSet(kind.get(), new ResourceKey(namespace, name));
    }

    /** Parses {@code GROUP/VERSION/KIND}, with {@code core} for the group without a name. */
    private static Kind<?> kind(String text) {
        String apiVersion = text.substring(0, Math.max(0, text.lastIndexOf('/')));
        return Kinds.SCHEME
                .findKind(
                        apiVersion.startsWith("core/")
                                ? apiVersion.substring("core/".length())
                                : apiVersion,
                        text.substring(text.lastIndexOf('/') + 1))
                .filter(kind -> !kind.readOnly())
                .<Kind<?>>map(KindDescriptor::kind)
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        ("--prune-allowlist \"%s\": expected GROUP/VERSION/KIND"
                                                        + " such as orloj.dev/v1/McpServer or"
                                                        + " core/v1/ConfigMap")
                                                .formatted(text)));
    }
}

package dev.orloj.cli.resource;

import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.v1.Kinds;
import dev.orloj.api.v1.McpServer;
import dev.orloj.cli.command.Suggestions;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.manifest.Submission;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Parses the resource arguments of a command: {@code tools}, {@code mcp,tools}, {@code tool a b},
 * {@code tool/a mcp/b} or {@code all}.
 *
 * @param kinds the kinds to select as a whole, when no names are given
 * @param named single resources
 */
public record Targets(List<Kind<?>> kinds, List<Named> named) {

    /** What a command lacks that takes whole kinds and names. */
    static final String EXAMPLES =
            "KIND or KIND/NAME, such as tools or mcp/github; orlojctl api-resources lists the"
                    + " kinds";

    /**
     * One resource.
     *
     * @param namespace of its manifest; empty where the command line decides
     */
    public record Named(Kind<?> kind, String name, String namespace) {

        public Named(Kind<?> kind, String name) {
            this(kind, name, "");
        }

        /**
         * @param chosen the namespace of the command line
         */
        public ResourceKey key(String chosen) {
            String own = namespace.isEmpty() ? chosen : namespace;
            return new ResourceKey(kind.namespaced() ? own : "", name);
        }
    }

    /** Parses at least one argument. */
    public static Targets parse(List<String> arguments) {
        if (arguments.getFirst().indexOf('/') >= 0) {
            return new Targets(List.of(), arguments.stream().map(Targets::slashed).toList());
        }
        List<Kind<?>> kinds = kindsOf(arguments);
        List<Named> named = new ArrayList<>();
        for (String name : arguments.subList(1, arguments.size())) {
            if (name.indexOf('/') >= 0) {
                throw new UsageException(
                        "\"%s\" beside \"%s\": write KIND NAME... or KIND/NAME..."
                                .formatted(name, arguments.getFirst()));
            }
            kinds.forEach(kind -> named.add(new Named(kind, name)));
        }
        return named.isEmpty() ? new Targets(kinds, List.of()) : new Targets(List.of(), named);
    }

    /**
     * Returns the name of an argument that takes servers only: {@code github} or {@code
     * mcp/github}.
     */
    public static String serverName(String argument) {
        if (argument.indexOf('/') < 0) {
            return argument;
        }
        Named named = slashed(argument);
        if (!named.kind().equals(McpServer.KIND)) {
            throw new UsageException(
                    "\"%s\" is no McpServer: give its name, such as github".formatted(argument));
        }
        return named.name();
    }

    /** Returns the resources of manifests. */
    public static Targets of(List<Submission> submissions) {
        return new Targets(
                List.of(),
                submissions.stream()
                        .map(s -> new Named(s.kind(), s.key().name(), s.key().namespace()))
                        .toList());
    }

    private static Named slashed(String argument) {
        int slash = argument.indexOf('/');
        if (slash < 1 || slash == argument.length() - 1 || argument.indexOf('/', slash + 1) >= 0) {
            throw new UsageException("\"" + argument + "\" is not of the form KIND/NAME");
        }
        return new Named(
                kindOf(argument.substring(0, slash)).kind(), argument.substring(slash + 1));
    }

    private static List<Kind<?>> kindsOf(List<String> arguments) {
        List<Kind<?>> kinds = new ArrayList<>();
        for (String word : arguments.getFirst().split(",", -1)) {
            List<? extends Kind<?>> group =
                    Kinds.SCHEME.descriptors().stream()
                            .filter(d -> d.categories().contains(word))
                            .map(KindDescriptor::kind)
                            .toList();
            if (group.isEmpty()) {
                kinds.add(
                        Kinds.SCHEME
                                .findName(word)
                                .orElseThrow(() -> unknownKind(word, arguments.size() == 1))
                                .kind());
            } else {
                kinds.addAll(group);
            }
        }
        return kinds;
    }

    /** Finds the kind with this name. */
    public static KindDescriptor<?> kindOf(String word) {
        return Kinds.SCHEME.findName(word).orElseThrow(() -> unknownKind(word, false));
    }

    /**
     * @param isAlone whether it may be the name of a server instead
     */
    private static UsageException unknownKind(String word, boolean isAlone) {
        List<String> names =
                Kinds.SCHEME.descriptors().stream()
                        .flatMap(
                                d ->
                                        Stream.concat(
                                                Stream.of(d.kind().plural(), d.kind().singular()),
                                                d.shortNames().stream()))
                        .toList();
        String guess =
                Suggestions.closest(word.toLowerCase(Locale.ROOT).replace("-", ""), names)
                        .map(name -> "did you mean \"" + name + "\"?")
                        .orElseGet(
                                () ->
                                        isAlone
                                                ? "for an McpServer of this name, write mcp/%s; orlojctl api-resources lists the kinds"
                                                        .formatted(word)
                                                : "known are " + knownKinds());
        return new UsageException("unknown kind \"" + word + "\"; " + guess);
    }

    private static String introduction(KindDescriptor<?> kind) {
        return kind.shortNames().isEmpty()
                ? kind.kind().plural()
                : kind.kind().plural() + " (" + kind.shortNames().getFirst() + ")";
    }

    private static String knownKinds() {
        return Kinds.SCHEME.storedKinds().stream()
                .map(Targets::introduction)
                .collect(Collectors.joining(", "));
    }
}

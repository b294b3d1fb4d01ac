package dev.orloj.cli.apply;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Kind;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.signature.Sha256;
import dev.orloj.api.v1.Kinds;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Manages a set of resources that are applied and pruned together (KEP-3659). Its parent, a Secret
 * or ConfigMap, lists the kinds and namespaces of its members; each member has a label with the id
 * of the set.
 */
final class ApplySet {

    static final String ID = "applyset.kubernetes.io/id";
    static final String PART_OF = "applyset.kubernetes.io/part-of";
    static final String TOOLING = "applyset.kubernetes.io/tooling";
    static final String GROUP_KINDS = "applyset.kubernetes.io/contains-group-kinds";
    static final String NAMESPACES = "applyset.kubernetes.io/additional-namespaces";

    /**
     * The field manager of the parent; the counterpart of {@code kubectl-applyset} for sets of
     * kubectl.
     */
    private static final String MANAGER = "orlojctl-applyset";

    private static final String TOOL = "orlojctl";
    private static final int ATTEMPTS = 5;

    private final ApplyClient client;
    private final Pruning.OfSet parent;
    private final String toolVersion;
    private final ApplyOptions options;
    private final String id;
    private Members members = new Members(new TreeSet<>(), new TreeSet<>());
    private String version = "";

    /**
     * The kinds of the members, as {@code Kind.group}, and their namespaces except that of the
     * parent.
     */
    private record Members(SortedSet<String> kinds, SortedSet<String> namespaces) {

        Members and(Members others) {
            return new Members(union(kinds, others.kinds), union(namespaces, others.namespaces));
        }

        private static SortedSet<String> union(Collection<String> a, Collection<String> b) {
            return new TreeSet<>(Stream.concat(a.stream(), b.stream()).toList());
        }
    }

    /**
     * @param dryRun whether to leave the parent unchanged
     */
    ApplySet(ApplyClient client, Pruning.OfSet parent, String toolVersion, boolean dryRun) {
        this.client = client;
        this.parent = parent;
        this.toolVersion = toolVersion;
        this.options = new ApplyOptions(dryRun, MANAGER, false);
        this.id = id(parent);
    }

    static String id(Pruning.OfSet parent) {
        String text =
                String.join(
                        ".",
                        parent.parent().name(),
                        parent.parent().namespace(),
                        parent.kind().name(),
                        parent.kind().group());
        return "applyset-%s-v1"
                .formatted(
                        Base64.getUrlEncoder()
                                .withoutPadding()
                                .encodeToString(Sha256.digest(text)));
    }

    /**
     * Returns the documents as members of the set.
     *
     * @throws ApiException (BadRequest) when one of them cannot be a member
     */
    List<Intent> adopt(List<Intent> intents) {
        List<Intent> adopted = new ArrayList<>();
        for (Intent intent : intents) {
            for (String label : List.of(PART_OF, ID)) {
                if (intent.document().path("metadata").path("labels").has(label)) {
                    throw ApiException.badRequest(
                            "the manifest of %s \"%s\" has the label \"%s\", which --applyset sets: take it out"
                                    .formatted(intent.kind().name(), intent.key().name(), label));
                }
            }
            if (isParent(intent)) {
                throw ApiException.badRequest(
                        "%s is the parent of the ApplySet and cannot be a member of it: take its manifest out"
                                .formatted(name()));
            }
            ObjectNode document = intent.document().deepCopy();
            document.withObject("/metadata/labels").put(PART_OF, id);
            adopted.add(new Intent(intent.kind(), intent.key(), document));
        }
        return adopted;
    }

    /** Compares the kind by name, because the Secrets of both groups are the same resources. */
    private boolean isParent(Intent intent) {
        return intent.key().equals(parent.parent())
                && intent.kind().name().equals(parent.kind().name());
    }

    /**
     * @throws ApiException (Conflict) when the resource is a member of another set
     */
    void requireFree(Intent intent) {
        String set =
                client.metadata(intent.kind(), intent.key())
                        .map(document -> label(document, PART_OF))
                        .orElse("");
        if (!set.isEmpty() && !set.equals(id)) {
            throw new ApiException(
                    ErrorReason.CONFLICT,
                    "%s \"%s\" is a member of another ApplySet (%s): apply it with that one only, or take it over with --force-conflicts"
                            .formatted(intent.kind().name(), intent.key().name(), set));
        }
    }

    /**
     * Widens the lists of the parent to present and future members, before any is applied.
     *
     * @throws ApiException (Conflict) when the parent does not belong to orlojctl
     */
    void widen(List<Intent> intents) {
        for (int attempt = 1; ; attempt++) {
            Optional<ObjectNode> known = read();
            members = known.map(this::members).orElse(members).and(membersOf(intents));
            version = known.map(ApplySet::versionOf).orElse("");
            try {
                Applied written = write(members);
                if (known.isEmpty() && written.effect() != Effect.CREATED && attempt < ATTEMPTS) {
                    continue; // another client has created it
                }
                version = versionOf(written.document());
                return;
            } catch (ApiException e) {
                boolean isOutdated =
                        e.reason() == ErrorReason.CONFLICT && Conflicts.of(e).isEmpty();
                if (!isOutdated || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /**
     * Narrows the lists of the parent to the members that remain after pruning. When another apply
     * changed the parent, it lists more than that, which does no harm.
     */
    void narrow(List<Intent> intents) {
        if (options.dryRun()) {
            return;
        }
        try {
            write(membersOf(intents));
        } catch (ApiException e) {
            if (e.reason() != ErrorReason.CONFLICT) {
                throw e;
            }
        }
    }

    /** Returns the scope of all members, in all kinds and namespaces that the parent lists. */
    PruneScope scope() {
        List<Kind<?>> kinds = members.kinds().stream().<Kind<?>>map(this::kind).toList();
        SortedSet<String> namespaces = new TreeSet<>(members.namespaces());
        namespaces.add(parent.parent().namespace());
        Predicate<JsonNode> isMember = resource -> label(resource, PART_OF).equals(id);
        return new PruneScope(kinds, namespaces, PART_OF + "=" + id, isMember);
    }

    private Members membersOf(List<Intent> intents) {
        Members found = new Members(new TreeSet<>(), new TreeSet<>());
        for (Intent intent : intents) {
            found.kinds().add(groupKind(intent.kind()));
            if (intent.kind().namespaced()) {
                found.namespaces().add(intent.key().namespace());
            }
        }
        found.namespaces().remove(parent.parent().namespace());
        return found;
    }

    private static String groupKind(Kind<?> kind) {
        return kind.group().isEmpty() ? kind.name() : kind.name() + "." + kind.group();
    }

    private Optional<ObjectNode> read() {
        Optional<ObjectNode> found = client.metadata(parent.kind(), parent.parent());
        found.ifPresent(this::requireOwn);
        return found;
    }

    private void requireOwn(ObjectNode document) {
        String tooling = annotation(document, TOOLING);
        if (tooling.isEmpty()) {
            throw refused("it is no parent of an ApplySet: it has no annotation " + TOOLING);
        }
        int slash = tooling.lastIndexOf('/');
        if (!tooling.substring(0, Math.max(0, slash)).equals(TOOL)) {
            throw refused("it is managed by \"" + tooling + "\", not by orlojctl");
        }
        if (!label(document, ID).equals(id)) {
            throw refused(
                    "its label %s is \"%s\", not \"%s\"".formatted(ID, label(document, ID), id));
        }
    }

    private ApiException refused(String why) {
        return new ApiException(
                ErrorReason.CONFLICT,
                "--applyset: %s exists, but %s; choose another name".formatted(name(), why));
    }

    private String name() {
        return "%s \"%s\" in namespace \"%s\""
                .formatted(
                        parent.kind().name(), parent.parent().name(), parent.parent().namespace());
    }

    private Members members(ObjectNode document) {
        return new Members(
                words(annotation(document, GROUP_KINDS)), words(annotation(document, NAMESPACES)));
    }

    private static SortedSet<String> words(String list) {
        return new TreeSet<>(
                Pattern.compile(",")
                        .splitAsStream(list)
                        .map(String::strip)
                        .filter(word -> !word.isEmpty())
                        .toList());
    }

    private Kind<?> kind(String groupKind) {
        return Kinds.SCHEME.descriptors().stream()
                .<Kind<?>>map(KindDescriptor::kind)
                .filter(kind -> groupKind(kind).equals(groupKind))
                .findFirst()
                .orElseThrow(
                        () ->
                                refused(
                                        "it has members of the kind \"%s\", which this orlojctl does not know"
                                                .formatted(groupKind)));
    }

    private Applied write(Members now) {
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.put("apiVersion", parent.kind().apiVersion()).put("kind", parent.kind().name());
        ObjectNode metadata = document.putObject("metadata");
        metadata.put("name", parent.parent().name());
        metadata.put("namespace", parent.parent().namespace());
        metadata.putObject("labels").put(ID, id);
        metadata.putObject("annotations")
                .put(TOOLING, TOOL + "/v" + toolVersion)
                .put(GROUP_KINDS, String.join(",", now.kinds()))
                .put(NAMESPACES, String.join(",", now.namespaces()));
        return client.apply(new Intent(parent.kind(), parent.parent(), document), options, version);
    }

    private static String versionOf(ObjectNode document) {
        return document.at("/metadata/resourceVersion").asString("");
    }

    private static String label(JsonNode document, String name) {
        return document.path("metadata").path("labels").path(name).asString("");
    }

    private static String annotation(ObjectNode document, String name) {
        return document.path("metadata").path("annotations").path(name).asString("");
    }
}

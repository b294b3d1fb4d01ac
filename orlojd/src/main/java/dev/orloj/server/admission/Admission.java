package dev.orloj.server.admission;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.FieldError;
import dev.orloj.api.Resource;
import dev.orloj.api.codec.Document;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.server.authorization.UserInfo;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Admits documents to the store in two steps: {@link #receive} interprets what a client sent,
 * {@link #admit} validates what is to be stored. Immutable, safe for many threads.
 */
public final class Admission {

    /** The maximum size of a stored document, in bytes of JSON. */
    static final int MAX_DOCUMENT_BYTES = 1024 * 1024;

    private static final List<String> EMPTY_OF_METADATA =
            List.of("labels", "annotations", "finalizers", "ownerReferences");

    private static final List<String> EMPTY_OF_CORE = List.of("data", "binaryData");

    /** The maximum number of unknown fields in a response. */
    private static final int MAX_UNKNOWN = 20;

    private static final Set<String> METADATA_TEXTS =
            Set.of("name", "generateName", "namespace", "uid", "resourceVersion");
    private final List<AdmissionRule> rules;
    private final WriteGuard guard;
    private final ServerPolicies policies;

    /**
     * @param rules rules of this installation, in addition to the built-in ones
     */
    public Admission(List<AdmissionRule> rules) {
        this(rules, WriteGuard.NONE);
    }

    /**
     * @param guard checks the rights of the user who writes
     */
    public Admission(List<AdmissionRule> rules, WriteGuard guard) {
        this(rules, guard, ServerPolicies.NONE);
    }

    /**
     * @param policies what servers may run, checked after the rights of the user
     */
    public Admission(List<AdmissionRule> rules, WriteGuard guard, ServerPolicies policies) {
        this.rules = List.copyOf(rules);
        this.guard = guard;
        this.policies = policies;
    }

    private static final Pattern REVISION = Pattern.compile("0|[1-9][0-9]{0,18}");

    /**
     * Checks that the document is of the kind, applies the kind's normalizer and removes unknown
     * fields.
     *
     * @throws ApiException (BadRequest) when the document is of another kind, or has unknown or
     *     duplicate fields and the validation is strict
     */
    public Received receive(KindDescriptor<?> kind, Document document, FieldValidation validation) {
        ObjectNode root = document.root();
        requireText(kind, root, "apiVersion", kind.kind().apiVersion());
        requireText(kind, root, "kind", kind.kind().name());
        requireMetadata(kind, root);
        kind.normalizer().accept(root);
        dropEmpty(kind, root);
        List<String> problems = new ArrayList<>();
        List<String> unknown = kind.schema().prune(root);
        unknown.stream()
                .limit(MAX_UNKNOWN)
                .forEach(f -> problems.add("unknown field \"" + f + "\""));
        if (unknown.size() > MAX_UNKNOWN) {
            problems.add("%d more unknown fields".formatted(unknown.size() - MAX_UNKNOWN));
        }
        document.duplicates().forEach(f -> problems.add("duplicate field \"" + f + "\""));
        return switch (validation) {
            case STRICT -> {
                if (!problems.isEmpty()) {
                    throw unreadable(kind, "strict decoding error: " + String.join(", ", problems));
                }
                yield new Received(root, List.of());
            }
            case WARN -> new Received(root, problems);
            case IGNORE -> new Received(root, List.of());
        };
    }

    /**
     * Applies defaults, restores stored values that the document leaves masked, and validates
     * everything.
     *
     * @param before the stored document, if any
     * @param user whose rights limit the write; empty for no limits
     * @throws ApiException (Invalid) with all errors at once, (Forbidden), (RequestEntityTooLarge)
     */
    public <R extends Resource> void admit(
            KindDescriptor<R> kind,
            ObjectNode document,
            Optional<ObjectNode> before,
            Optional<UserInfo> user) {
        refuse(kind, document, SensitiveFields.restore(kind, document, before));
        kind.schema().applyDefaults(document);
        List<FieldError> errors = MetadataRules.check(kind, document);
        Optional<R> stored = before.flatMap(b -> readable(kind, b));
        List<FieldError> misfits =
                stored.isPresent()
                        ? kind.schema().validateUpdate(document, before.orElseThrow())
                        : kind.schema().validate(document);
        errors.addAll(misfits);
        if (misfits.isEmpty()) {
            R resource = ResourceCodec.fromDocument(kind.kind(), document);
            errors.addAll(excesses(kind.validator()::validate, resource, stored));
            stored.map(s -> kind.updateValidator().validate(s, resource)).ifPresent(errors::addAll);
            rules.forEach(rule -> errors.addAll(excesses(rule::check, resource, stored)));
            if (errors.isEmpty() && user.isPresent()) {
                guard.check(user.get(), kind.kind(), resource, stored);
            }
            if (errors.isEmpty()) {
                errors.addAll(policies.check(resource, stored));
            }
        }
        refuse(kind, document, errors);
        requireSize(document);
    }

    /** Returns what the author of an admitted document should know. */
    public List<String> warnings(KindDescriptor<?> kind, ObjectNode document) {
        List<String> warnings = new ArrayList<>();
        kind.advice(document).forEach(advice -> warnings.add(advice.message()));
        rules.forEach(rule -> warnings.addAll(rule.warnings(kind.kind(), document)));
        return warnings;
    }

    /**
     * Treats an unreadable stored document as absent, so that any valid document may replace it.
     */
    private static <R extends Resource> Optional<R> readable(
            KindDescriptor<R> kind, ObjectNode stored) {
        try {
            return Optional.of(ResourceCodec.fromDocument(kind.kind(), stored));
        } catch (ApiException e) {
            return Optional.empty();
        }
    }

    /**
     * Ignores violations that the stored document already has: the rule may be newer than the
     * resource.
     */
    private static <R extends Resource> List<FieldError> excesses(
            Function<R, List<FieldError>> rule, R resource, Optional<R> stored) {
        List<FieldError> errors = new ArrayList<>(rule.apply(resource));
        if (!errors.isEmpty() && stored.isPresent()) {
            errors.removeAll(rule.apply(stored.get()));
        }
        return errors;
    }

    /**
     * Restores stored values that the document leaves masked.
     *
     * @throws ApiException (Invalid) when there is no stored value
     */
    public void restoreSensitive(
            KindDescriptor<?> kind, ObjectNode document, Optional<ObjectNode> before) {
        refuse(kind, document, SensitiveFields.restore(kind, document, before));
    }

    private static void refuse(
            KindDescriptor<?> kind, ObjectNode document, List<FieldError> errors) {
        if (!errors.isEmpty()) {
            String name = document.at("/metadata/name").asString("");
            throw ApiException.invalid(kind.kind(), name, errors);
        }
    }

    /**
     * Removes empty fields: typed clients do not distinguish empty from absent, so neither is a
     * change.
     */
    public static void dropEmpty(KindDescriptor<?> kind, ObjectNode root) {
        if (root.path("metadata") instanceof ObjectNode metadata) {
            dropEmpty(metadata, EMPTY_OF_METADATA);
        }
        if (kind.kind().group().isEmpty()) {
            dropEmpty(root, EMPTY_OF_CORE);
        }
    }

    private static void dropEmpty(ObjectNode object, List<String> fields) {
        for (String field : fields) {
            if (object.path(field).isContainer() && object.path(field).isEmpty()) {
                object.remove(field);
            }
        }
    }

    private static void requireText(
            KindDescriptor<?> kind, ObjectNode root, String field, String expected) {
        JsonNode given = root.path(field);
        boolean absent = given.isMissingNode() || given.isNull() || given.asString("?").isEmpty();
        if (!absent && !given.asString("").equalsIgnoreCase(expected)) {
            throw ApiException.badRequest(
                    "the %s of the document, %s, does not match the one of the path, \"%s\" (%s)"
                            .formatted(field, given, expected, kind.kind().groupResource()));
        }
        root.put(field, expected);
    }

    private static void requireMetadata(KindDescriptor<?> kind, ObjectNode root) {
        if (root.path("metadata").isMissingNode() || root.path("metadata").isNull()) {
            root.putObject("metadata");
        }
        if (!root.path("metadata").isObject()) {
            throw unreadable(kind, "\"metadata\" must be an object");
        }
        for (String field : METADATA_TEXTS) {
            JsonNode value = root.path("metadata").path(field);
            if (!value.isMissingNode() && !value.isNull() && !value.isString()) {
                throw unreadable(kind, "\"metadata.%s\" must be text".formatted(field));
            }
        }
        String revision = root.at("/metadata/resourceVersion").asString("");
        if (!revision.isEmpty() && !REVISION.matcher(revision).matches()) {
            throw unreadable(
                    kind,
                    "\"metadata.resourceVersion\" is \"%s\", but must be a number that the server gave"
                            .formatted(revision));
        }
    }

    private static ApiException unreadable(KindDescriptor<?> kind, String why) {
        return ApiException.badRequest(
                "%s in version \"%s\" cannot be handled as a %s: %s"
                        .formatted(
                                kind.kind().name(),
                                kind.kind().version(),
                                kind.kind().name(),
                                why));
    }

    private static void requireSize(ObjectNode document) {
        int size = Json.MAPPER.writeValueAsBytes(document).length;
        if (size > MAX_DOCUMENT_BYTES) {
            throw new ApiException(
                    ErrorReason.REQUEST_ENTITY_TOO_LARGE,
                    "the document has %d bytes, the limit is %d"
                            .formatted(size, MAX_DOCUMENT_BYTES));
        }
    }
}

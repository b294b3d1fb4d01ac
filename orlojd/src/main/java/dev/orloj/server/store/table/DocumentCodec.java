package dev.orloj.server.store.table;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.core.Secret;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BiFunction;

/**
 * Converts documents to rows and back: the shape of the row or of the kind, encryption of secrets,
 * and the version.
 */
public final class DocumentCodec {

    /** Where a client-side apply keeps a copy of the whole manifest. */
    private static final String ANNOTATIONS = "/metadata/annotations";

    private static final String VERSION = "resourceVersion";

    private final SecretCipher cipher;

    public DocumentCodec(SecretCipher cipher) {
        this.cipher = cipher;
    }

    /**
     * The row of a document. The version is a column of the row; in the document only its place is
     * kept.
     */
    public StoredDocument toRow(KindDescriptor<?> kind, ResourceKey key, ObjectNode document) {
        KindDescriptor<?> stored = kind.stored();
        ObjectNode content = kind.toStored(document);
        ObjectNode sealed = content.deepCopy();
        if (sealed.path("metadata") instanceof ObjectNode metadata && metadata.has(VERSION)) {
            metadata.put(VERSION, "");
        }
        if (!stored.sensitiveFields().isEmpty()
                && sealed.at(ANNOTATIONS) instanceof ObjectNode annotations) {
            annotations.remove(Secret.MISSING_KEY); // only orlojd says so
        }
        replaceSecrets(
                stored,
                sealed,
                (value, field) ->
                        StringNode.valueOf(
                                cipher.seal(
                                        StorableText.ofJson(value), place(stored, key, field))));
        return new StoredDocument(
                key,
                content.at("/metadata/uid").asString(""),
                jsonOf(labels(content)),
                jsonOf(fields(stored, key, content)),
                owners(content),
                StorableText.ofJson(sealed));
    }

    /** The document of a row. */
    public ObjectNode fromRow(KindDescriptor<?> kind, ResourceKey key, long version, String json) {
        ObjectNode document = parse(version, json);
        openSecrets(kind.stored(), key, document);
        return kind.fromStored(document);
    }

    /** The document of a row whose secrets, if it has any, stay sealed. */
    public static ObjectNode parse(long version, String json) {
        ObjectNode document = (ObjectNode) Json.MAPPER.readTree(json);
        setVersion(document, version);
        return document;
    }

    /** The row's document that is shared while it is sealed, with its secrets opened. */
    public ObjectNode opened(KindDescriptor<?> kind, ResourceKey key, ObjectNode shared) {
        if (kind.stored().sensitiveFields().isEmpty()) {
            return kind.fromStored(shared);
        }
        ObjectNode copy = shared.deepCopy();
        openSecrets(kind.stored(), key, copy);
        return kind.fromStored(copy);
    }

    /** Leaves out values whose key is lost, and says so in an annotation. */
    private void openSecrets(KindDescriptor<?> kind, ResourceKey key, ObjectNode document) {
        Set<String> lost = new TreeSet<>();
        replaceSecrets(
                kind,
                document,
                (value, field) -> {
                    Optional<String> id = cipher.missingKey(value.asString(""));
                    if (id.isPresent()) {
                        lost.add(id.get());
                        return null;
                    }
                    return Json.MAPPER.readTree(
                            cipher.open(value.asString(""), place(kind, key, field)));
                });
        if (!lost.isEmpty()) {
            document.withObject(ANNOTATIONS).put(Secret.MISSING_KEY, String.join(",", lost));
        }
    }

    /** Returns whether values of a document were left out, because their key is lost. */
    public static boolean isIncomplete(KindDescriptor<?> kind, ObjectNode document) {
        return !kind.stored().sensitiveFields().isEmpty()
                && document.at(ANNOTATIONS).has(Secret.MISSING_KEY);
    }

    /** The row of a document that is to be removed and whose secrets stay sealed. */
    public StoredDocument sealedRow(ResourceKey key, String json) {
        ObjectNode content = (ObjectNode) Json.MAPPER.readTree(json);
        return new StoredDocument(
                key, content.at("/metadata/uid").asString(""), "{}", "{}", "{}", json);
    }

    /**
     * The document of a row with its secrets encrypted again; empty when all have the current key
     * or a lost one.
     *
     * @param kind has rows of its own
     */
    public Optional<String> resealed(KindDescriptor<?> kind, ResourceKey key, String json) {
        ObjectNode document = (ObjectNode) Json.MAPPER.readTree(json);
        boolean[] changed = {false};
        replaceSecrets(
                kind,
                document,
                (value, field) -> {
                    Optional<String> fresh =
                            cipher.reseal(value.asString(""), place(kind, key, field));
                    changed[0] |= fresh.isPresent();
                    return fresh.<JsonNode>map(StringNode::valueOf).orElse(value);
                });
        return changed[0] ? Optional.of(StorableText.ofJson(document)) : Optional.empty();
    }

    public static void setVersion(ObjectNode document, long version) {
        document.withObject("/metadata").put(VERSION, Long.toString(version));
    }

    /**
     * @param replacement makes the new value of the old one and of the pointer to it; null to
     *     remove it
     */
    private static void replaceSecrets(
            KindDescriptor<?> kind,
            ObjectNode document,
            BiFunction<JsonNode, String, @Nullable JsonNode> replacement) {
        if (kind.sensitiveFields().isEmpty()) {
            return;
        }
        List<String> pointers = new ArrayList<>(kind.sensitiveFields());
        pointers.add(ANNOTATIONS);
        for (String pointer : pointers) {
            if (document.at(pointer) instanceof ObjectNode values) {
                List<String> removed = new ArrayList<>();
                for (Map.Entry<String, JsonNode> entry : values.properties()) {
                    String field = pointer + "/" + entry.getKey();
                    JsonNode replaced = replacement.apply(entry.getValue(), field);
                    if (replaced == null) {
                        removed.add(entry.getKey());
                    } else {
                        entry.setValue(replaced);
                    }
                }
                values.remove(removed);
            }
        }
    }

    private static String place(KindDescriptor<?> kind, ResourceKey key, String field) {
        return "%s \"%s\" %s".formatted(kind.kind().groupResource(), key, field);
    }

    public static Map<String, String> labels(JsonNode document) {
        Map<String, String> labels = new TreeMap<>();
        document.at("/metadata/labels")
                .properties()
                .forEach(e -> labels.put(e.getKey(), e.getValue().asString("")));
        return labels;
    }

    /**
     * The values that field selectors compare; absent ones are left out.
     *
     * @param kind has rows of its own
     */
    static Map<String, String> fields(KindDescriptor<?> kind, ResourceKey key, JsonNode document) {
        Map<String, String> fields = new TreeMap<>();
        kind.selectableFields()
                .forEach(
                        (field, pointer) -> {
                            String value = document.at(pointer).asString("");
                            if (!value.isEmpty()) {
                                fields.put(field, StorableText.ofKey(value));
                            }
                        });
        fields.put("metadata.name", key.name());
        fields.put("metadata.namespace", key.namespace());
        return fields;
    }

    private static String jsonOf(Map<String, String> texts) {
        ObjectNode object = Json.MAPPER.createObjectNode();
        texts.forEach((name, value) -> object.put(name, StorableText.ofKey(value)));
        return object.toString();
    }

    private static String owners(JsonNode document) {
        StringJoiner owners = new StringJoiner(",", "{", "}");
        for (JsonNode owner : document.at("/metadata/ownerReferences")) {
            String uid = owner.path("uid").asString("");
            if (isUuid(uid)) {
                owners.add(uid);
            }
        }
        return owners.toString();
    }

    /** Every uid that the server assigns is one; what else a client writes owns nothing. */
    private static boolean isUuid(String uid) {
        try {
            return UUID.fromString(uid).toString().equalsIgnoreCase(uid);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}

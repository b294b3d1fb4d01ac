package dev.orloj.api.codec;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Structural schema of a kind: the subset of OpenAPI v3 that Kubernetes allows for custom
 * resources, with its {@code x-kubernetes-*} extensions. Loaded on first use. Immutable and
 * thread-safe.
 */
public final class Schema {

    private final Supplier<ObjectNode> source;
    private volatile @Nullable ObjectNode root;

    private Schema(Supplier<ObjectNode> source) {
        this.source = source;
    }

    /**
     * Loads a schema from a JSON file next to a class. Adds the properties that every resource has.
     */
    public static Schema fromResource(Class<?> anchor, String file) {
        return new Schema(
                () -> {
                    ObjectNode schema = load(anchor, file);
                    ObjectNode properties = schema.withObject("/properties");
                    ObjectNode common = load(Schema.class, "resource.schema.json");
                    properties.setAll(common.withObject("/properties"));
                    return schema;
                });
    }

    private static ObjectNode load(Class<?> anchor, String file) {
        try (InputStream in = anchor.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("schema " + file + " is missing beside " + anchor);
            }
            return (ObjectNode) Json.MAPPER.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the schema for OpenAPI. Callers must not change it. */
    public ObjectNode root() {
        ObjectNode loaded = root;
        if (loaded == null) {
            loaded = source.get();
            root = loaded;
        }
        return loaded;
    }

    /**
     * Removes fields that the schema does not know, and nulls of fields that it does.
     *
     * @return the paths of the unknown fields
     */
    public List<String> prune(ObjectNode document) {
        List<String> unknown = new ArrayList<>();
        new SchemaPruner(unknown).prune(root(), document, FieldPath.root());
        return unknown;
    }

    /** Sets the defaults of absent fields. */
    public void applyDefaults(ObjectNode document) {
        SchemaDefaults.apply(root(), document);
    }

    /** Returns all errors of the document. */
    public List<FieldError> validate(ObjectNode document) {
        return errors(document, MissingNode.getInstance());
    }

    /**
     * Returns the errors of values that an update adds or changes. The schema may be stricter than
     * it was when the resource was stored, and then only what changes has to pass it.
     *
     * @param stored the document as it is stored
     */
    public List<FieldError> validateUpdate(ObjectNode document, ObjectNode stored) {
        return errors(document, stored);
    }

    private List<FieldError> errors(ObjectNode document, JsonNode before) {
        List<FieldError> errors = new ArrayList<>();
        new SchemaValidator(errors).validate(root(), document, before, FieldPath.root());
        return errors;
    }
}

package dev.orloj.server.store.table;

import dev.orloj.api.ApiException;
import dev.orloj.api.FieldSelector;
import dev.orloj.api.LabelSelector;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.client.WatchOptions;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Selects the resources of a list or a watch. It has two forms: SQL over the columns {@code
 * namespace}, {@code name}, {@code labels} and {@code fields}, and a predicate over documents in
 * the shape of the row.
 *
 * @param fields as the rows name them, which for a view differs from the client's names
 */
public record Selection(
        KindDescriptor<?> kind, String namespace, LabelSelector labels, FieldSelector fields) {

    /** A condition with its parameters; the text starts with {@code AND}, or is empty. */
    public record Condition(String sql, List<Object> parameters) {}

    /**
     * @throws ApiException (BadRequest) when the kind has no such field to select by
     */
    public static Selection of(KindDescriptor<?> kind, ListOptions options) {
        return of(kind, options.namespace(), options.labels(), options.fields());
    }

    /**
     * @throws ApiException (BadRequest) when the kind has no such field to select by
     */
    public static Selection of(KindDescriptor<?> kind, WatchOptions options) {
        return of(kind, options.namespace(), options.labels(), options.fields());
    }

    private static Selection of(
            KindDescriptor<?> kind, String namespace, LabelSelector labels, FieldSelector fields) {
        List<FieldSelector.Requirement> requirements =
                fields.requirements().stream()
                        .map(
                                r ->
                                        new FieldSelector.Requirement(
                                                fieldOfRow(kind, r.field()), r.equal(), r.value()))
                        .toList();
        return new Selection(kind, namespace, labels, new FieldSelector(requirements));
    }

    /** What the row calls a field: the two names stand for the same pointer. */
    private static String fieldOfRow(KindDescriptor<?> kind, String field) {
        if (field.equals("metadata.name") || field.equals("metadata.namespace")) {
            return field;
        }
        String pointer = kind.selectableFields().get(field);
        if (pointer == null) {
            throw ApiException.badRequest("field label not supported: " + field);
        }
        return kind.stored().selectableFields().entrySet().stream()
                .filter(stored -> stored.getValue().equals(pointer))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "%s is selectable by %s, but its rows are not by %s"
                                                .formatted(kind.kind(), field, pointer)));
    }

    public boolean hasSelectors() {
        return !labels.isEverything() || !fields.isEverything();
    }

    public boolean covers(ResourceKey key) {
        return namespace.isEmpty() || namespace.equals(key.namespace());
    }

    /** Whether the selectors hold for a state of a resource. */
    public boolean matches(ResourceKey key, JsonNode document) {
        return (labels.isEverything() || labels.matches(DocumentCodec.labels(document)))
                && (fields.isEverything()
                        || fields.matches(DocumentCodec.fields(kind.stored(), key, document)));
    }

    public Condition toSql() {
        StringBuilder sql = new StringBuilder();
        List<Object> parameters = new ArrayList<>();
        if (!namespace.isEmpty()) {
            sql.append(" AND namespace = ?");
            parameters.add(StorableText.ofKey(namespace));
        }
        for (LabelSelector.Requirement requirement : labels.requirements()) {
            appendLabel(requirement, sql, parameters);
        }
        for (FieldSelector.Requirement requirement : fields.requirements()) {
            appendField(requirement, sql, parameters);
        }
        return new Condition(sql.toString(), parameters);
    }

    private static void appendLabel(
            LabelSelector.Requirement requirement, StringBuilder sql, List<Object> parameters) {
        switch (requirement.operator()) {
            case IN -> {
                // The index on labels supports containment.
                StringJoiner alternatives = new StringJoiner(" OR ", " AND (", ")");
                alternatives.setEmptyValue(" AND false");
                for (String value : requirement.values()) {
                    alternatives.add("labels @> ?::jsonb");
                    parameters.add(
                            Json.MAPPER
                                    .createObjectNode()
                                    .put(requirement.key(), value)
                                    .toString());
                }
                sql.append(alternatives);
            }
            case NOT_IN -> {
                sql.append(" AND NOT coalesce(labels ->> ? = ANY (?), false)");
                parameters.add(requirement.key());
                parameters.add(requirement.values().toArray(String[]::new));
            }
            case EXISTS -> {
                sql.append(" AND jsonb_exists(labels, ?)");
                parameters.add(requirement.key());
            }
            case GREATER_THAN, LESS_THAN -> {
                boolean greater = requirement.operator() == LabelSelector.Operator.GREATER_THAN;
                // The order of the parts of an AND is not fixed, that of a CASE is.
                sql.append(" AND CASE WHEN labels ->> ? ~ '^[0-9]{1,18}$'")
                        .append(" THEN (labels ->> ?)::bigint ")
                        .append(greater ? '>' : '<')
                        .append(" ? ELSE false END");
                parameters.add(requirement.key());
                parameters.add(requirement.key());
                parameters.add(requirement.bound());
            }
            case DOES_NOT_EXIST -> {
                sql.append(" AND NOT jsonb_exists(labels, ?)");
                parameters.add(requirement.key());
            }
        }
    }

    private static void appendField(
            FieldSelector.Requirement requirement, StringBuilder sql, List<Object> parameters) {
        String comparison = requirement.equal() ? " = ?" : " <> ?";
        switch (requirement.field()) {
            case "metadata.name" -> sql.append(" AND name").append(comparison);
            case "metadata.namespace" -> sql.append(" AND namespace").append(comparison);
            default -> {
                sql.append(" AND coalesce(fields ->> ?, '')").append(comparison);
                parameters.add(requirement.field());
            }
        }
        parameters.add(StorableText.ofKey(requirement.value()));
    }
}

package dev.orloj.server.rest.presentation;

import dev.orloj.api.ResourceVersion;
import dev.orloj.api.codec.Column;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.server.rest.http.HumanDuration;
import dev.orloj.server.rest.http.QueryParameters;
import dev.orloj.server.store.table.DocumentList;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

/** Shows resources as rows that a command line prints unchanged: name, the kind's columns, age. */
final class KubernetesTable implements Presentation {

    /** How much of a resource each row includes. */
    enum Include {
        NONE,
        METADATA,
        OBJECT;

        static Include of(QueryParameters query) {
            return query.choice(
                            "includeObject",
                            Map.of("None", NONE, "Metadata", METADATA, "Object", OBJECT))
                    .orElse(METADATA);
        }
    }

    private final KindDescriptor<?> kind;
    private final String version;
    private final Include include;
    private final InstantSource clock;
    private boolean headersSent;

    /**
     * @param version of the group meta.k8s.io
     */
    KubernetesTable(KindDescriptor<?> kind, String version, Include include, InstantSource clock) {
        this.kind = kind;
        this.version = version;
        this.include = include;
        this.clock = clock;
    }

    @Override
    public ObjectNode one(ObjectNode document) {
        ObjectNode table = table();
        ObjectNode metadata = table.putObject("metadata");
        metadata.put("resourceVersion", document.at("/metadata/resourceVersion").asString(""));
        addHeaders(table);
        addRow(table.putArray("rows"), document);
        return table;
    }

    @Override
    public ObjectNode list(DocumentList page) {
        ObjectNode table = table();
        table.set("metadata", Presentation.listMetadata(page));
        addHeaders(table);
        ArrayNode rows = table.putArray("rows");
        page.items().forEach(document -> addRow(rows, document));
        return table;
    }

    /** The first event of a watch has the headers. */
    @Override
    public ObjectNode event(ObjectNode document) {
        ObjectNode table = one(document);
        if (headersSent) {
            table.putNull("columnDefinitions");
        }
        headersSent = true;
        return table;
    }

    @Override
    public boolean isCommon() {
        return false; // the first event of a watch has the columns, and ages depend on the time
    }

    @Override
    public ObjectNode bookmark(ResourceVersion revision, boolean initialEventsEnd) {
        ObjectNode table = table();
        table.set("metadata", Presentation.bookmarkMetadata(revision, initialEventsEnd));
        table.putNull("columnDefinitions");
        table.putArray("rows");
        return table;
    }

    private ObjectNode table() {
        return MetadataOnly.empty("Table", version);
    }

    private void addHeaders(ObjectNode table) {
        ArrayNode headers = table.putArray("columnDefinitions");
        if (!kind.wholeTable()) {
            addHeader(headers, "Name", "string", "name", "Unique within the namespace", false);
        }
        for (Column column : kind.columns()) {
            addHeader(
                    headers, column.name(), column.type(), "", column.description(), column.wide());
        }
        if (!kind.wholeTable()) {
            addHeader(headers, "Age", "string", "", "Time since the creation", false);
        }
    }

    private static void addHeader(
            ArrayNode headers,
            String name,
            String type,
            String format,
            String description,
            boolean wide) {
        headers.addObject()
                .put("name", name)
                .put("type", type)
                .put("format", format)
                .put("description", description)
                .put("priority", wide ? 1 : 0);
    }

    private void addRow(ArrayNode rows, ObjectNode document) {
        ObjectNode row = rows.addObject();
        ArrayNode cells = row.putArray("cells");
        if (!kind.wholeTable()) {
            cells.add(document.at("/metadata/name").asString(""));
        }
        for (Column column : kind.columns()) {
            addCell(cells, column, column.cell().apply(document));
        }
        if (!kind.wholeTable()) {
            cells.add(age(document.at("/metadata/creationTimestamp").asString("")));
        }
        switch (include) {
            case NONE -> {}
            case METADATA -> row.set("object", new MetadataOnly(kind, version).one(document));
            case OBJECT -> row.set("object", document);
        }
    }

    private void addCell(ArrayNode cells, Column column, Object value) {
        String text = String.valueOf(value);
        switch (column.type()) {
            case "date" -> cells.add(age(text));
            case "integer" -> {
                if (List.of("", "null").contains(text)) {
                    cells.addNull();
                } else {
                    cells.add(Long.parseLong(text));
                }
            }
            default -> cells.add(text);
        }
    }

    private String age(String time) {
        if (time.isEmpty()) {
            return "<unknown>";
        }
        try {
            // A watch may run for long, and each of its events shows the age at that time.
            return HumanDuration.of(
                    Duration.between(OffsetDateTime.parse(time).toInstant(), clock.instant()));
        } catch (DateTimeException e) {
            return "<invalid>";
        }
    }
}

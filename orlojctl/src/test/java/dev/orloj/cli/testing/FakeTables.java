package dev.orloj.cli.testing;

import dev.orloj.api.codec.Column;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.cli.output.Text;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Resources as rows, by the columns that their kinds declare. */
record FakeTables(InstantSource clock) {

    ObjectNode of(KindDescriptor<?> descriptor) {
        ObjectNode table =
                Json.MAPPER
                        .createObjectNode()
                        .put("kind", "Table")
                        .put("apiVersion", "meta.k8s.io/v1");
        ArrayNode columns = table.putArray("columnDefinitions");
        columns.addObject().put("name", "Name").put("type", "string").put("priority", 0);
        for (Column column : descriptor.columns()) {
            columns.addObject()
                    .put("name", column.name())
                    .put("type", column.type())
                    .put("priority", column.wide() ? 1 : 0);
        }
        columns.addObject().put("name", "Age").put("type", "string").put("priority", 0);
        return table;
    }

    ObjectNode row(KindDescriptor<?> descriptor, ObjectNode document) {
        ObjectNode row = Json.MAPPER.createObjectNode();
        ArrayNode cells = row.putArray("cells");
        cells.add(document.at("/metadata/name").asString(""));
        for (Column column : descriptor.columns()) {
            Object cell = column.cell().apply(document);
            cells.addPOJO(column.type().equals("date") ? age(cell.toString()) : cell);
        }
        cells.add(age(document.at("/metadata/creationTimestamp").asString("")));
        ObjectNode object = row.putObject("object");
        object.put("kind", "PartialObjectMetadata");
        object.set("metadata", document.get("metadata"));
        return row;
    }

    private String age(String time) {
        return time.isEmpty()
                ? "<none>"
                : Text.age(Duration.between(Instant.parse(time), clock.instant()));
    }
}

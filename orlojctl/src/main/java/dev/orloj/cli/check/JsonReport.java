package dev.orloj.cli.check;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.output.Documents;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/** Writes reports as a list in JSON. */
final class JsonReport {

    private JsonReport() {}

    static String write(List<Checked> checked) {
        ObjectNode list = Json.MAPPER.createObjectNode();
        list.put("apiVersion", "orloj.dev/v1").put("kind", "McpServerReviewList");
        list.putArray("items");
        for (Checked one : checked) {
            ObjectNode item = list.withArray("items").addObject();
            item.put("name", one.name());
            one.file().ifPresent(file -> item.put("file", file).put("line", one.line("")));
            item.set("report", Json.MAPPER.valueToTree(one.report()));
            one.definitions()
                    .ifPresent(found -> item.set("findings", Json.MAPPER.valueToTree(found)));
        }
        return Documents.toJson(list);
    }
}

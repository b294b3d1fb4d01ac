package dev.orloj.server.fuzz;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Values that a field rarely has, and where in a document they go. */
final class WrongValues {

    /** Stands for a number that no {@link BigDecimal} holds, until {@link #text}. */
    private static final String HUGE = "a-number-that-nothing-holds";

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    static final List<JsonNode> ALL =
            List.of(
                    NODES.nullNode(),
                    NODES.booleanNode(false),
                    NODES.numberNode(-1),
                    NODES.numberNode(1.5),
                    NODES.numberNode(99_999_999_999L),
                    NODES.numberNode(BigInteger.TEN.pow(300)),
                    NODES.numberNode(new BigDecimal("1e999999999")),
                    NODES.stringNode(HUGE),
                    NODES.stringNode(""),
                    NODES.stringNode("Py"),
                    NODES.stringNode("***"),
                    NODES.stringNode("\u0000\u202e\ud800"),
                    NODES.stringNode("x".repeat(70_000)),
                    NODES.stringNode("9999-99-99T99:99:99Z"),
                    NODES.arrayNode(),
                    NODES.arrayNode().add(NODES.nullNode()),
                    NODES.arrayNode().add("a").add("a"),
                    NODES.objectNode(),
                    NODES.objectNode().put("", "a").put("unknown", 1),
                    deep());

    /** Percent-encoded, for paths and queries. */
    static final List<String> ENCODED =
            List.of(
                    "",
                    "-1",
                    "0",
                    "1.5",
                    "true",
                    "Py",
                    "99999999999999999999",
                    "a%3Db",
                    "a%20in%20(b,c",
                    "!",
                    "All",
                    "Exact",
                    "%00",
                    "%F0%9F%92%A9",
                    "%ff",
                    "%E2%80%AE",
                    "eyJ2IjoxfQ",
                    "x".repeat(2_000));

    private WrongValues() {}

    private static ObjectNode deep() {
        ObjectNode deep = NODES.objectNode();
        ObjectNode inner = deep;
        for (int i = 0; i < 60; i++) {
            inner = inner.putObject("a");
        }
        return deep;
    }

    /** A document as it is sent. */
    static String text(JsonNode document) {
        return document.toString().replace('"' + HUGE + '"', "1e1000000000000");
    }

    /** Puts a value at a path, 0 being the first element of a list; what is missing is made. */
    static void set(ObjectNode document, List<String> path, JsonNode value) {
        JsonNode parent = document;
        for (int i = 0; i < path.size(); i++) {
            String name = path.get(i);
            boolean isLast = i == path.size() - 1;
            boolean isList = !isLast && path.get(i + 1).equals("0");
            JsonNode child = isLast ? value : isList ? NODES.arrayNode() : NODES.objectNode();
            if (parent instanceof ArrayNode list) {
                if (isLast || list.isEmpty()) {
                    list.removeAll().add(child);
                }
                parent = list.get(0);
            } else if (parent instanceof ObjectNode object) {
                if (isLast || !object.has(name) || object.path(name).isArray() != isList) {
                    object.set(name, child);
                }
                parent = object.get(name);
            } else {
                return; // a field of what is no object
            }
        }
    }

    /** Paths of all that is in a document. */
    static List<List<String>> paths(JsonNode document) {
        List<List<String>> found = new ArrayList<>();
        collect(document, List.of(), found);
        return found;
    }

    private static void collect(JsonNode node, List<String> path, List<List<String>> found) {
        if (!path.isEmpty()) {
            found.add(path);
        }
        node.properties()
                .forEach(field -> collect(field.getValue(), below(path, field.getKey()), found));
        if (node.isArray() && !node.isEmpty()) {
            collect(node.get(0), below(path, "0"), found);
        }
    }

    static List<String> below(List<String> path, String name) {
        List<String> longer = new ArrayList<>(path);
        longer.add(name);
        return List.copyOf(longer);
    }
}

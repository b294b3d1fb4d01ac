package dev.orloj.server.recorded;

import dev.orloj.api.codec.Json;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.node.ArrayNode;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

/** An answer as text that can be compared and read. */
final class AnswerText {

    /** Of the connection and the moment, not of the answer. */
    private static final Set<String> LEFT_OUT = Set.of("date", "connection", "keep-alive");

    private static final ObjectMapper PRETTY =
            Json.MAPPER.rebuild().enable(SerializationFeature.INDENT_OUTPUT).build();

    /** These come by their times, too. */
    private static final Pattern MANAGERS_IN_YAML =
            Pattern.compile("(?m)^( *)managedFields:\n(?:\\1(?:- |  ).*\n)+");

    private AnswerText() {}

    /** The headers by name; how long a body is depends on what is masked in it. */
    static String headers(List<String> headers) {
        return headers.stream()
                .filter(header -> !LEFT_OUT.contains(name(header)))
                .map(
                        header ->
                                name(header).equals("content-length")
                                        ? "Content-Length: <n>"
                                        : header)
                .sorted()
                .collect(Collectors.joining("\n"));
    }

    private static String name(String header) {
        return header.split(":", 2)[0].toLowerCase(Locale.ROOT);
    }

    /** The body, unpacked and, where it is JSON as orlojd writes it, indented. */
    static String body(byte[] body, boolean packed) {
        byte[] plain = packed ? unpacked(body) : body;
        if (plain.length > 3 && plain[0] == 'k' && plain[3] == 0) {
            return "(protobuf of Kubernetes, " + HexFormat.of().formatHex(plain, 0, 4) + ")";
        }
        String text =
                MANAGERS_IN_YAML
                        .matcher(new String(plain, StandardCharsets.UTF_8))
                        .replaceAll("$1managedFields: <as in JSON>\n");
        return text.lines().map(AnswerText::line).collect(Collectors.joining("\n"))
                + (text.endsWith("\n") ? "" : "(no line end)");
    }

    private static String line(String line) {
        String prefix = line.startsWith("data: ") ? "data: " : "";
        String json = line.substring(prefix.length());
        if (!json.startsWith("{") && !json.startsWith("[")) {
            return line;
        }
        try {
            JsonNode tree = Json.MAPPER.readTree(json);
            return Json.MAPPER.writeValueAsString(tree).equals(json)
                    ? prefix + PRETTY.writeValueAsString(inOrder(tree))
                    : line;
        } catch (JacksonException e) {
            return line;
        }
    }

    /** Field managers come by their times, which only sometimes differ. Each gets one line. */
    private static JsonNode inOrder(JsonNode tree) {
        for (JsonNode node : tree.findValues("managedFields")) {
            if (node instanceof ArrayNode managers) {
                List<String> sorted =
                        managers.valueStream().map(JsonNode::toString).sorted().toList();
                managers.removeAll();
                sorted.forEach(managers::add);
            }
        }
        return tree;
    }

    private static byte[] unpacked(byte[] body) {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For what is large and steady. */
    static String digest(byte[] body) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(body);
            return "(%d bytes, SHA-256 %s)"
                    .formatted(body.length, HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * The paths of the members of a JSON document and their types, for what has no steady values.
     */
    static String shape(byte[] body) {
        Set<String> paths = new TreeSet<>();
        shape("", Json.MAPPER.readTree(body), paths);
        return String.join("\n", paths);
    }

    private static void shape(String path, JsonNode node, Set<String> paths) {
        switch (node.getNodeType()) {
            case OBJECT ->
                    node.properties()
                            .forEach(
                                    member ->
                                            shape(
                                                    path + "/" + member.getKey(),
                                                    member.getValue(),
                                                    paths));
            case ARRAY -> node.forEach(element -> shape(path + "/*", element, paths));
            default -> paths.add(path + " " + node.getNodeType());
        }
    }
}

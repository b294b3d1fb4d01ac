package dev.orloj.cli.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A complete response.
 *
 * @param headers by name, in lower case
 */
public record Reply(int status, Map<String, List<String>> headers, byte[] body) {

    public Optional<String> header(String name) {
        return headers.getOrDefault(name, List.of()).stream().findFirst();
    }

    /** Returns the texts of headers such as {@code Warning: 299 - "unknown field \"spec.foo\""}. */
    public List<String> warnings() {
        return warnings(headers.getOrDefault("warning", List.of()));
    }

    static List<String> warnings(List<String> headers) {
        List<String> texts = new ArrayList<>();
        for (String header : headers) {
            int start = header.indexOf('"');
            int end = header.lastIndexOf('"');
            if (start >= 0 && end > start) {
                texts.add(header.substring(start + 1, end).replace("\\\"", "\""));
            }
        }
        return texts;
    }
}

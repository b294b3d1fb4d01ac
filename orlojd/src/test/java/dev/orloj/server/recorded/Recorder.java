package dev.orloj.server.recorded;

import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Runs scripts against a server, and writes down what it answers. */
final class Recorder implements AutoCloseable {

    private static final Pattern VALUE = Pattern.compile("\\$\\{([a-zA-Z-]+)}");

    /** A request and the code of its answer. */
    record Asked(String method, String path, int code) {}

    private final int port;
    private final Map<String, String> values = new HashMap<>();
    private final Map<String, Wire> open = new HashMap<>();
    private final Mask mask = new Mask();
    private final List<Asked> asked = new ArrayList<>();

    Recorder(int port) {
        this.port = port;
        values.put("port", String.valueOf(port));
    }

    /** What {@code ${name}} stands for in scripts. */
    void set(String name, String value) {
        values.put(name, value);
    }

    Mask mask() {
        return mask;
    }

    /** Every request so far. */
    List<Asked> asked() {
        return asked;
    }

    /** The answers of all steps of a script. */
    String run(String script) {
        return run(script, () -> {});
    }

    /**
     * The answers of all steps of a script.
     *
     * @param before each of them
     */
    String run(String script, Runnable before) {
        StringBuilder answers = new StringBuilder();
        for (Step step : Step.parse(script)) {
            before.run();
            try {
                String text = step.method().isEmpty() ? readOn(step) : exchange(step);
                if (!step.has("quiet")) {
                    answers.append("### ").append(filled(step.name())).append('\n');
                    answers.append(mask.mask(text)).append("\n\n");
                }
            } catch (IOException | RuntimeException e) {
                throw new IllegalStateException(
                        "At the step \"%s\"".formatted(filled(step.name())), e);
            }
        }
        return answers.toString();
    }

    private String filled(String text) {
        return VALUE.matcher(text)
                .replaceAll(
                        value ->
                                Matcher.quoteReplacement(
                                        Objects.requireNonNull(
                                                values.get(value.group(1)), value.group(1))));
    }

    private String exchange(Step step) throws IOException {
        String path = filled(step.path());
        byte[] body = padded(filled(step.body()), step).getBytes(StandardCharsets.UTF_8);
        List<String> headers = step.headers().stream().map(this::filled).toList();
        byte[] answer = null;
        Wire wire;
        if (step.has("until")) {
            Last last =
                    await(step.name())
                            .atMost(Duration.ofSeconds(30))
                            .pollInterval(Duration.ofMillis(100))
                            .until(
                                    () -> whole(step, path, headers, body),
                                    found -> meets(found, filled(step.directive("until").get())));
            wire = last.wire();
            answer = last.body();
        } else {
            wire = Wire.send(port, step.method(), path, headers, body);
        }
        asked.add(new Asked(step.method(), path, wire.code()));
        String text = head(step, path, wire) + "\n\n" + answer(step, wire, answer);
        if (!step.has("open")) {
            wire.close();
        }
        return text;
    }

    private record Last(Wire wire, byte[] body) {

        @Override
        public String toString() {
            return wire.status() + " " + new String(body, StandardCharsets.UTF_8);
        }
    }

    private Last whole(Step step, String path, List<String> headers, byte[] body)
            throws IOException {
        try (Wire wire = Wire.send(port, step.method(), path, headers, body)) {
            return new Last(wire, wire.rest());
        }
    }

    /** The condition is a code, or a JSON pointer and the value there, if any. */
    private static boolean meets(Last last, String condition) {
        if (!condition.startsWith("/")) {
            return last.wire().code() == Integer.parseInt(condition);
        }
        String[] parts = condition.split(" ", 2);
        String value = parts.length > 1 ? parts[1] : "";
        return last.body().length > 0
                && Json.MAPPER.readTree(last.body()).at(parts[0]).asString("").equals(value);
    }

    private static String padded(String body, Step step) {
        return step.directive("pad").map(n -> body + " ".repeat(Integer.parseInt(n))).orElse(body);
    }

    private static String head(Step step, String path, Wire wire) {
        return "%s %s\n%s\n%s"
                .formatted(step.method(), path, wire.status(), AnswerText.headers(wire.headers()));
    }

    private String answer(Step step, Wire wire, byte @Nullable [] read) throws IOException {
        if (step.has("open")) {
            String[] parts = step.directive("open").get().split(" ");
            open.put(parts[0], wire);
            String text = events(wire, Integer.parseInt(parts[1]));
            keep(step, wire, text);
            return AnswerText.body(text.getBytes(StandardCharsets.UTF_8), false);
        }
        if (step.has("lines")) {
            StringBuilder lines = new StringBuilder();
            for (int i = Integer.parseInt(filled(step.directive("lines").get())); i > 0; i--) {
                lines.append(wire.next("\n"));
            }
            return AnswerText.body(lines.toString().getBytes(StandardCharsets.UTF_8), false);
        }
        byte[] body = read == null ? wire.rest() : read;
        keep(step, wire, new String(body, StandardCharsets.UTF_8));
        if (step.has("shape")) {
            return AnswerText.shape(body);
        }
        if (step.has("digest")) {
            return AnswerText.digest(body);
        }
        String text = AnswerText.body(body, wire.header("content-encoding").equals("gzip"));
        return step.directive("matching").map(p -> matching(p, text)).orElse(text);
    }

    private static String matching(String pattern, String text) {
        Pattern wanted = Pattern.compile(pattern);
        return text.lines()
                .filter(line -> wanted.matcher(line).find())
                .sorted()
                .collect(Collectors.joining("\n"));
    }

    private static String events(Wire wire, int count) throws IOException {
        StringBuilder events = new StringBuilder();
        for (int i = 0; i < count; i++) {
            events.append(wire.next("\n\n"));
        }
        return events.toString();
    }

    /** Reads events of a stream that is open. */
    private String readOn(Step step) throws IOException {
        if (step.has("close")) {
            Wire closed = open.remove(step.directive("close").get());
            Objects.requireNonNull(closed, step.name()).close();
            return "(closed)";
        }
        String[] parts = step.directive("read").get().split(" ");
        Wire wire = Objects.requireNonNull(open.get(parts[0]), step.name());
        String text = events(wire, Integer.parseInt(parts[1]));
        keep(step, wire, text);
        return AnswerText.body(text.getBytes(StandardCharsets.UTF_8), false);
    }

    /** Keeps a part of the answer for later steps, which is hidden from now on. */
    private void keep(Step step, Wire wire, String text) {
        for (String directive : step.all("keep")) {
            String[] parts = directive.split(" ", 2);
            String value = part(parts[1], wire, text);
            values.put(parts[0], value);
            if (!step.has("plain")) {
                mask.hide(value, parts[0]);
            }
        }
    }

    private static String part(String where, Wire wire, String text) {
        if (where.startsWith("/")) {
            return Json.MAPPER.readTree(text).at(where).asString("");
        }
        if (where.startsWith("header ")) {
            return wire.header(where.substring("header ".length()));
        }
        Matcher found = Pattern.compile(where).matcher(text);
        if (!found.find()) {
            throw new IllegalStateException("nothing matches %s in %s".formatted(where, text));
        }
        return found.group(1);
    }

    @Override
    public void close() {
        for (Wire wire : open.values()) {
            try {
                wire.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}

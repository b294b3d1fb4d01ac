package dev.orloj.server.mcp;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A revision of MCP that agents may speak, in the order in which they came. */
enum Revision {
    V2024_11_05("2024-11-05"),
    V2025_03_26("2025-03-26"),
    V2025_06_18("2025-06-18"),
    V2025_11_25("2025-11-25"),
    V2026_07_28("2026-07-28");

    /** The newest one that begins with {@code initialize}. */
    static final Revision NEWEST_WITH_SESSIONS = V2025_11_25;

    private final String text;

    Revision(String text) {
        this.text = text;
    }

    /** As it is written in messages and headers. */
    String text() {
        return text;
    }

    static Optional<Revision> of(String text) {
        return Arrays.stream(values()).filter(revision -> revision.text.equals(text)).findFirst();
    }

    /** Those that are offered, newest first; older ones are served where they are asked for. */
    static List<String> offered() {
        return List.of(V2026_07_28.text, V2025_11_25.text, V2025_06_18.text, V2025_03_26.text);
    }

    /** Whether each request stands for itself, without {@code initialize} and sessions. */
    boolean isStateless() {
        return this == V2026_07_28;
    }

    /** Whether one document may hold several messages. */
    boolean hasBatches() {
        return this == V2025_03_26;
    }

    /** Whether there are titles, icons, output schemas, structured content and resource links. */
    boolean hasStructuredContent() {
        return compareTo(V2025_06_18) >= 0;
    }

    /** Whether structured content may be something else than an object. */
    boolean hasAnyStructuredContent() {
        return isStateless();
    }

    /** Whether wrong arguments are an outcome that the model sees, rather than an error. */
    boolean showsWrongArgumentsToModels() {
        return compareTo(V2025_11_25) >= 0;
    }
}

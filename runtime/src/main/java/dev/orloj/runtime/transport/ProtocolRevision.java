package dev.orloj.runtime.transport;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The supported revisions of MCP, oldest first. */
public enum ProtocolRevision {
    V2024_11_05("2024-11-05"),
    V2025_03_26("2025-03-26"),
    V2025_06_18("2025-06-18"),
    V2025_11_25("2025-11-25"),
    V2026_07_28("2026-07-28");

    private static final Map<String, ProtocolRevision> BY_VERSION =
            Arrays.stream(values())
                    .collect(Collectors.toUnmodifiableMap(ProtocolRevision::version, it -> it));

    private static final List<String> STREAMABLE_HTTP =
            Stream.of(V2026_07_28, V2025_11_25, V2025_06_18, V2025_03_26)
                    .map(ProtocolRevision::version)
                    .toList();

    private final String version;

    ProtocolRevision(String version) {
        this.version = version;
    }

    /** The version as written in messages. */
    public String version() {
        return version;
    }

    public static Optional<ProtocolRevision> of(String version) {
        return Optional.ofNullable(BY_VERSION.get(version));
    }

    /** The newest revision that begins with {@code initialize}. */
    public static ProtocolRevision newestLegacy() {
        return V2025_11_25;
    }

    /** The revisions that begin with {@code initialize}, oldest first. */
    public static List<ProtocolRevision> legacy() {
        return Arrays.stream(values()).filter(revision -> !revision.isStateless()).toList();
    }

    /** The versions that have Streamable HTTP, newest first. */
    public static List<String> streamableHttp() {
        return STREAMABLE_HTTP;
    }

    /** Whether every request carries its own context and there is no session. */
    public boolean isStateless() {
        return compareTo(V2026_07_28) >= 0;
    }

    /** Whether one document may hold several messages. */
    public boolean hasBatches() {
        return this == V2025_03_26;
    }

    /** Whether there are titles, icons, output schemas, structured content and resource links. */
    public boolean hasStructuredContent() {
        return compareTo(V2025_06_18) >= 0;
    }

    /** Whether structured content may be something else than an object. */
    public boolean hasAnyStructuredContent() {
        return isStateless();
    }

    /** Whether invalid arguments are a tool result that the model sees, rather than an error. */
    public boolean showsWrongArgumentsToModels() {
        return compareTo(V2025_11_25) >= 0;
    }

    /** Whether requests over HTTP carry the header {@code MCP-Protocol-Version}. */
    public boolean hasHeader() {
        return compareTo(V2025_06_18) >= 0;
    }

    @Override
    public String toString() {
        return version;
    }
}

package dev.orloj.runtime.container;

import dev.orloj.api.Frozen;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The status that the kernel of this host reports for a process, as proc(5) describes it.
 *
 * @param fields the fields by name, such as {@code CapEff}
 */
record ProcessStatus(Map<String, String> fields) {

    /** All sets: a capability that is in none of them cannot be regained. */
    private static final Set<String> CAPABILITIES =
            Set.of("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb");

    ProcessStatus {
        fields = Frozen.map(fields);
    }

    /** Returns the status; empty when no such process exists. */
    static Optional<ProcessStatus> of(long pid) {
        try {
            return Optional.of(
                    parse(
                            Files.readString(
                                    Path.of("/proc", Long.toString(pid), "status"),
                                    StandardCharsets.ISO_8859_1)));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    static ProcessStatus parse(String text) {
        return new ProcessStatus(
                text.lines()
                        .map(line -> line.split(":", 2))
                        .filter(field -> field.length == 2)
                        .collect(
                                Collectors.toMap(
                                        field -> field[0],
                                        field -> field[1].strip(),
                                        (first, second) -> first)));
    }

    boolean hasNoCapabilities() {
        return CAPABILITIES.stream()
                .map(set -> fields.getOrDefault(set, "unknown"))
                .allMatch(bits -> bits.matches("0+"));
    }
}

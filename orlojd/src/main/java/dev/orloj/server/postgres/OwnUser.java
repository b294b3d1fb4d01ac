package dev.orloj.server.postgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Chooses the numeric id, of user and group, under which the PostgreSQL of a root orlojd runs. No
 * account and no other data directory has the same id. Stores it beside the data, with the path for
 * which it was chosen, so that a copy of the directory gets an id of its own.
 *
 * @param etc the directory that lists the accounts of this machine
 * @param proc the directory that lists its processes
 */
record OwnUser(Path etc, Path proc) {

    private static final OwnUser MACHINE = new OwnUser(Path.of("/etc"), Path.of("/proc"));

    private static final String FILE = "uid";

    /**
     * Ids that neither accounts nor containers use. The second range fits namespaces with few ids.
     */
    private static final List<Range> RANGES =
            List.of(new Range(1_879_048_192L, 268_435_455), new Range(60_578, 606));

    private static final int ATTEMPTS = 100_000;

    private static final Pattern RECORD = Pattern.compile("(\\d{5,10}) (.+)");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,10}");

    private static final SecureRandom RANDOM = new SecureRandom();

    private record Range(long first, long count) {

        boolean contains(long id) {
            return id >= first && id < first + count;
        }

        boolean contains(Range other) {
            return contains(other.first) && contains(other.first + other.count - 1);
        }
    }

    /** Returns the id; empty where this machine, a container with few user ids, has none left. */
    static OptionalInt of(Path directory) throws IOException {
        return MACHINE.forDirectory(directory);
    }

    OptionalInt forDirectory(Path directory) throws IOException {
        Set<Long> accounts = accounts();
        List<Range> reserved = reserved();
        OptionalInt recorded = recorded(directory);
        if (recorded.isPresent() && isFree(recorded.getAsInt(), accounts, reserved)) {
            return recorded;
        }
        accounts.addAll(running());
        OptionalInt chosen = choose(accounts, reserved);
        if (chosen.isPresent()) {
            record(directory, chosen.getAsInt());
        }
        return chosen;
    }

    private OptionalInt choose(Set<Long> taken, List<Range> reserved) throws IOException {
        List<Range> users = mapped("uid_map");
        List<Range> groups = mapped("gid_map");
        for (Range range : RANGES) {
            if (users.stream().noneMatch(mapped -> mapped.contains(range))
                    || groups.stream().noneMatch(mapped -> mapped.contains(range))) {
                continue;
            }
            OptionalInt free =
                    from(range, RANDOM.nextLong(range.count))
                            .filter(id -> isFree(id, taken, reserved))
                            .findFirst();
            if (free.isPresent()) {
                return free;
            }
        }
        return OptionalInt.empty();
    }

    /** Enumerates all ids of a small range, and at most {@code ATTEMPTS} of a large one. */
    private static IntStream from(Range range, long start) {
        return LongStream.range(0, Math.min(range.count, ATTEMPTS))
                .mapToInt(i -> (int) (range.first + (start + i) % range.count));
    }

    private static boolean isFree(int id, Set<Long> taken, List<Range> reserved) {
        return !taken.contains((long) id)
                && reserved.stream().noneMatch(range -> range.contains(id));
    }

    private static OptionalInt recorded(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        if (!Files.isRegularFile(file) || PosixAccess.uid(file) != PosixAccess.currentUid()) {
            return OptionalInt.empty();
        }
        Matcher matcher = RECORD.matcher(Files.readString(file).strip());
        if (!matcher.matches() || !matcher.group(2).equals(directory.toRealPath().toString())) {
            return OptionalInt.empty();
        }
        long id = Long.parseLong(matcher.group(1));
        return RANGES.stream().anyMatch(range -> range.contains(id))
                ? OptionalInt.of((int) id)
                : OptionalInt.empty();
    }

    private static void record(Path directory, int id) throws IOException {
        Path partial = directory.resolve(FILE + ".creating");
        Files.deleteIfExists(partial);
        Files.createFile(partial, PosixAccess.OWNER_ONLY_FILE);
        Files.writeString(partial, "%d %s%n".formatted(id, directory.toRealPath()));
        Files.move(
                partial,
                directory.resolve(FILE),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    private Set<Long> accounts() throws IOException {
        Set<Long> ids = new HashSet<>();
        for (String name : List.of("passwd", "group")) {
            for (String[] fields : fields(etc.resolve(name), ":")) {
                if (fields.length > 2 && NUMBER.matcher(fields[2]).matches()) {
                    ids.add(Long.parseLong(fields[2]));
                }
            }
        }
        return ids;
    }

    /** Returns the ids that accounts may use in their containers. */
    private List<Range> reserved() throws IOException {
        List<String[]> lines = fields(etc.resolve("subuid"), ":");
        lines.addAll(fields(etc.resolve("subgid"), ":"));
        return ranges(lines, 1, 2);
    }

    /** Returns the ids that exist in the user namespace of this process. */
    private List<Range> mapped(String map) throws IOException {
        return ranges(fields(proc.resolve("self").resolve(map), "\\s+"), 0, 2);
    }

    private static List<Range> ranges(List<String[]> lines, int first, int count) {
        return lines.stream()
                .filter(fields -> fields.length > count)
                .filter(fields -> NUMBER.matcher(fields[first]).matches())
                .filter(fields -> NUMBER.matcher(fields[count]).matches())
                .map(f -> new Range(Long.parseLong(f[first]), Long.parseLong(f[count])))
                .toList();
    }

    private Set<Long> running() throws IOException {
        Set<Long> ids = new HashSet<>();
        try (var processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : processes) {
                try {
                    ids.add((long) PosixAccess.uid(process));
                } catch (NoSuchFileException e) {
                    // The process has ended.
                }
            }
        }
        return ids;
    }

    private static List<String[]> fields(Path file, String separator) throws IOException {
        List<String[]> lines = new ArrayList<>();
        if (Files.isReadable(file)) {
            // Names may have any encoding; only digits are read.
            for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
                lines.add(line.strip().split(separator, -1));
            }
        }
        return lines;
    }
}

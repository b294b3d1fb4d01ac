package dev.orloj.runtime.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The processes of this host as /proc shows them, whatever their parent is. */
public final class Processes {

    private Processes() {}

    /** The pids of all living processes whose command line contains a text; zombies are dead. */
    public static List<Long> withCommandLine(String text) {
        try (Stream<Path> entries = Files.list(Path.of("/proc"))) {
            return entries.filter(entry -> entry.getFileName().toString().matches("\\d+"))
                    .filter(entry -> read(entry.resolve("cmdline")).contains(text))
                    .filter(entry -> !isZombie(entry))
                    .map(entry -> Long.parseLong(entry.getFileName().toString()))
                    .toList();
        } catch (IOException e) {
            throw new IllegalStateException("/proc cannot be listed", e);
        }
    }

    public static boolean isAlive(long pid) {
        Path entry = Path.of("/proc", String.valueOf(pid));
        return Files.exists(entry) && !isZombie(entry);
    }

    private static boolean isZombie(Path entry) {
        String stat = read(entry.resolve("stat"));
        int name = stat.lastIndexOf(')');
        return name < 0 || stat.startsWith(" Z", name + 1) || stat.startsWith(" X", name + 1);
    }

    /** Empty when the process ended in between. */
    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}

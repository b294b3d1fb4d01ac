package dev.orloj.runtime.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Determines the name servers of this host, which its containers use too. A container's queries
 * pass through the engine, but come from the container's own network, so the firewall has to allow
 * them.
 */
public final class NameServers {

    private static final Path USUAL = Path.of("/etc/resolv.conf");

    /** The engine reads this file when the usual file contains only systemd-resolved. */
    private static final Path BEHIND_STUB = Path.of("/run/systemd/resolve/resolv.conf");

    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

    private NameServers() {}

    /** Returns the IPv4 addresses of the name servers, except those that only this host reaches. */
    public static List<String> ofHost() {
        List<String> usual = read(USUAL);
        return usual.isEmpty() ? read(BEHIND_STUB) : usual;
    }

    static List<String> read(Path file) {
        try {
            return Files.readAllLines(file).stream()
                    .map(line -> line.strip().split("\\s+"))
                    .filter(words -> words.length > 1 && words[0].equals("nameserver"))
                    .map(words -> words[1])
                    .filter(server -> IPV4.matcher(server).matches())
                    .filter(server -> !server.startsWith("127."))
                    .distinct()
                    .toList();
        } catch (IOException e) {
            return List.of(); // Without the file, there are no name servers.
        }
    }
}

package dev.orloj.runtime.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The name servers of this host, which answer its containers too. A container asks them through the
 * engine, but from its own network, so the firewall has to let that pass.
 */
public final class NameServers {

    private static final Path USUAL = Path.of("/etc/resolv.conf");

    /** Where the engine looks when the usual file names systemd-resolved alone. */
    private static final Path BEHIND_STUB = Path.of("/run/systemd/resolve/resolv.conf");

    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

    private NameServers() {}

    /** Their IPv4 addresses, without those that only this host reaches. */
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
            return List.of(); // Without the file there is no name server.
        }
    }
}

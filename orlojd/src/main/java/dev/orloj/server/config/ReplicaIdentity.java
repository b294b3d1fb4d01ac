package dev.orloj.server.config;

import dev.orloj.controllers.replica.Replica;
import dev.orloj.server.certificate.PrivateFiles;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * Determines the name of this replica: the name of the host and a random suffix, stored in the data
 * directory, which no two processes share.
 */
final class ReplicaIdentity {

    private static final String FILE = "replica-id";
    private static final int LONGEST_HOST = 40;
    private static final int SUFFIX_RANGE = 36 * 36 * 36 * 36 * 36;

    private ReplicaIdentity() {}

    static Replica load(Path dataDirectory, RandomGenerator random) throws IOException {
        String host = host();
        Path file = dataDirectory.resolve(FILE);
        if (Files.exists(file)) {
            PrivateFiles.close(file);
            String id = Files.readString(file).strip();
            if (isLabelValue(id)) {
                return new Replica(id, host);
            }
        }
        String suffix = Integer.toString(random.nextInt(SUFFIX_RANGE), Character.MAX_RADIX);
        String id = label(host) + "-" + suffix;
        Files.createDirectories(dataDirectory);
        PrivateFiles.write(file, id + "\n");
        return new Replica(id, host);
    }

    private static boolean isLabelValue(String id) {
        return id.matches("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
    }

    private static String label(String host) {
        String plain = host.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        String cut = plain.substring(0, Math.min(plain.length(), LONGEST_HOST));
        String trimmed = cut.replaceAll("^-+|-+$", "");
        return trimmed.isEmpty() ? "orlojd" : trimmed;
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            // A host that does not know its own name is still this one.
            return "localhost";
        }
    }
}

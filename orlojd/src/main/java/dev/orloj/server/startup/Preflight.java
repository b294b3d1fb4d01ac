package dev.orloj.server.startup;

import dev.orloj.server.store.key.KeySource;

import org.springframework.core.env.Environment;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/** Detects conditions that would fail the start later, before any slow step. */
public final class Preflight {

    private static final int MAX_PORT = 65_535;

    private Preflight() {}

    /**
     * @param keys of the Secrets
     * @throws PreflightException when the server cannot start
     */
    public static void check(Environment environment, KeySource keys) {
        checkKeys(keys);
        for (Listener listener : List.of(Listener.HTTP, Listener.HTTPS)) {
            listener.check(environment);
        }
    }

    /**
     * A port to listen on.
     *
     * @param setting the prefix of the settings of its port and its address
     */
    private record Listener(String setting, String portOption, String hostOption) {

        static final Listener HTTP = new Listener("server", "--port", "--host");
        static final Listener HTTPS = new Listener("orloj.https", "--https-port", "--https-host");

        void check(Environment environment) {
            int port = port(environment);
            if (port > 0) {
                check(environment.getProperty(setting + ".address", ""), port);
            }
        }

        /** Returns the configured port; 0 for any. */
        private int port(Environment environment) {
            try {
                int port =
                        Integer.parseInt(environment.getProperty(setting + ".port", "0").strip());
                if (port <= MAX_PORT) {
                    return Math.max(0, port);
                }
            } catch (NumberFormatException e) {
                // reported below
            }
            throw new PreflightException(
                    "the setting %s.port is no TCP port; give one of 0 to %d"
                            .formatted(setting, MAX_PORT));
        }

        private void check(String address, int port) {
            try (ServerSocket socket = new ServerSocket()) {
                socket.setReuseAddress(true); // like Tomcat
                socket.bind(
                        address.isBlank()
                                ? new InetSocketAddress(port)
                                : new InetSocketAddress(address, port));
            } catch (BindException e) {
                throw String.valueOf(e.getMessage()).startsWith("Address already in use")
                        ? new PreflightException(
                                "port %d is in use; stop what listens there, or choose another with %s"
                                        .formatted(port, portOption),
                                e)
                        : unusable(address, port, e);
            } catch (IOException e) {
                throw unusable(address, port, e);
            }
        }

        private PreflightException unusable(String address, int port, IOException e) {
            return new PreflightException(
                    "cannot listen on \"%s\", port %d: %s; choose another address with %s or another port with %s"
                            .formatted(address, port, e.getMessage(), hostOption, portOption),
                    e);
        }
    }

    private static void checkKeys(KeySource source) {
        KeySource keys = source.local();
        try {
            keys.load();
        } catch (IllegalArgumentException | CharacterCodingException e) {
            throw new PreflightException(
                    "%s, the key of the Secrets, is not 32 bytes in base64; put back the key that was there, without which the stored Secrets cannot be read; for a new database, make one with \"openssl rand -base64 32\""
                            .formatted(keys.description()),
                    e);
        } catch (IOException e) {
            throw new PreflightException(
                    "%s, the key of the Secrets, cannot be read: %s"
                            .formatted(keys.description(), reason(e)),
                    e);
        }
    }

    private static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException denied ->
                    "permission denied; it has to be readable for the user that orlojd runs as";
            case NoSuchFileException missing -> "it is not there; check --secret-key-file";
            default -> String.valueOf(e.getMessage());
        };
    }
}

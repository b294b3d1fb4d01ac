package dev.orloj.server.startup;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Chooses the HTTPS port when the configuration names none. Without a name it is for this machine
 * only, so that nothing is reachable from others that the operator has not asked for.
 */
public final class DefaultHttpsPort {

    static final int NUMBER = 8443;

    private static final Logger log = LoggerFactory.getLogger(DefaultHttpsPort.class);
    private static final String PORT = "orloj.https.port";
    private static final String ADDRESS = "orloj.https.address";
    private static final String LOOPBACK = "127.0.0.1";

    private DefaultHttpsPort() {}

    /**
     * Adds what is missing to the configuration. The HTTP port that is open to all clients needs no
     * other.
     */
    public static void choose(ConfigurableEnvironment environment, Path dataDir) {
        boolean isOpen =
                environment.getProperty(
                        "orloj.security.insecure-allow-anonymous", Boolean.class, false);
        if (isOpen) {
            return;
        }
        reportUpgrade(dataDir);
        if (environment.getProperty(PORT, "").isBlank()) {
            Map<String, Object> chosen = new HashMap<>();
            String address = environment.getProperty(ADDRESS, "");
            if (address.isBlank()) {
                address = LOOPBACK;
                chosen.put(ADDRESS, address);
            }
            chosen.put(PORT, port(environment, address));
            environment.getPropertySources().addLast(new MapPropertySource("https-port", chosen));
        }
    }

    private static int port(Environment environment, String address) {
        if (environment.getProperty("server.port", "").strip().equals("0")) {
            return 0;
        }
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true); // like Tomcat
            socket.bind(new InetSocketAddress(address, NUMBER));
            return NUMBER;
        } catch (IOException e) {
            log.atWarn()
                    .addKeyValue("port", NUMBER)
                    .addKeyValue("cause", e.getMessage())
                    .log(
                            "The default HTTPS port cannot be used: another one is chosen, and"
                                + " written to the kubeconfig; --https-port names one for good");
            return 0;
        }
    }

    /** Before, the HTTP port was open to all clients. */
    private static void reportUpgrade(Path dataDir) {
        if (Files.exists(dataDir.resolve("replica-id"))
                && !Files.exists(dataDir.resolve("admin.token"))) {
            log.atWarn()
                    .addKeyValue("kubeconfig", dataDir.resolve("kubeconfig"))
                    .addKeyValue("token", dataDir.resolve("admin.token"))
                    .log(
                            "New in this version: the HTTP port asks for a token, too. orlojctl"
                                + " finds its own; kubectl takes the kubeconfig; run orlojctl"
                                + " client-config CLIENT --write again for each MCP client, which"
                                + " gives it a token. --insecure-allow-anonymous leaves the port"
                                + " open to every program of this machine");
        }
    }
}

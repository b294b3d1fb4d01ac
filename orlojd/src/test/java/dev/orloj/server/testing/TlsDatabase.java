package dev.orloj.server.testing;

import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.Docker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;

/**
 * PostgreSQL in a container, which takes connections over TLS only. Its port is published on
 * loopback, so that it is reached alike from every machine: what gateway its bridge has, if any,
 * and whether the tests run in a container themselves, does not matter. Closing removes it.
 */
public final class TlsDatabase implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(60);
    private static final String LOOPBACK = "127.0.0.1";
    private static final String PORT = "5432";

    private final String name = "orloj-test-postgres-" + UUID.randomUUID();

    /**
     * Returns once it takes connections.
     *
     * @param certified name in its certificate
     */
    public TlsDatabase(String certified, String password) {
        Docker.run(
                "run",
                "--detach",
                "--name",
                name,
                "--env",
                "CERTIFICATE_NAME=" + certified,
                "--env",
                "POSTGRES_PASSWORD=" + password,
                "--publish",
                LOOPBACK + "::" + PORT,
                "orloj-test/postgres:latest");
        try {
            await().atMost(START)
                    .until(() -> Docker.run("logs", name).contains("ready to accept connections"));
        } catch (RuntimeException | AssertionError e) {
            close();
            throw e;
        }
    }

    /** Of this host, where it is reached. */
    public int port() {
        String address = Docker.run("port", name, PORT).strip(); // 127.0.0.1:49153
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    public void copy(String file, Path target) {
        Docker.run("cp", name + ":" + file, target.toString());
    }

    public void run(String... command) {
        String[] exec = new String[command.length + 2];
        exec[0] = "exec";
        exec[1] = name;
        System.arraycopy(command, 0, exec, 2, command.length);
        Docker.run(exec);
    }

    @Override
    public void close() {
        Docker.run("rm", "--force", "--volumes", name);
    }
}

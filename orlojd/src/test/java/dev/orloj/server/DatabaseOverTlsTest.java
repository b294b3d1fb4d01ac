package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.NeedsDocker;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.ResumingWatcher;
import dev.orloj.server.testing.RunningOrlojd;
import dev.orloj.server.testing.TlsDatabase;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A database of the operator's that takes no connection but over TLS. Its engine is on this
 * machine, like the image that it runs. H-32: no registry is asked for anything, and the bridge of
 * that engine needs no gateway.
 */
@NeedsDocker
@Timeout(300)
class DatabaseOverTlsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String SERVERS = RestClient.collection("default", "mcpservers");
    private static final String PASSWORD = "of-a-test";

    /** The name in the certificate. */
    private static final String HOST = "localhost";

    /** The same machine, by what the certificate does not name. */
    private static final String OTHER_HOST = "127.0.0.1";

    @TempDir private static Path certificates;

    private static TlsDatabase database;

    @TempDir private Path folder;

    /** What orlojd has connected. */
    private record Connection(String query, boolean ssl) {}

    @BeforeAll
    static void startDatabase() {
        database = new TlsDatabase(HOST, PASSWORD);
        database.copy("/tmp/postgres/server.crt", trusted());
    }

    @AfterAll
    static void removeDatabase() {
        database.close();
    }

    /** A certificate signed by itself is its own CA. */
    private static Path trusted() {
        return certificates.resolve("trusted.crt");
    }

    private static String url(String host, Path authority) {
        return "jdbc:postgresql://%s:%d/postgres?sslmode=verify-full&sslrootcert=%s"
                .formatted(host, database.port(), authority);
    }

    private OrlojdProcess start(String url) throws IOException, InterruptedException {
        Path password = Files.writeString(folder.resolve("password"), PASSWORD);
        return OrlojdProcess.start(
                folder.resolve("data"),
                "--database-url",
                url,
                "--database-user",
                "orloj",
                "--database-password-file",
                password.toString());
    }

    private static List<Connection> connections() {
        PGSimpleDataSource connections = new PGSimpleDataSource();
        connections.setUrl(url(HOST, trusted()));
        connections.setUser("orloj");
        connections.setPassword(PASSWORD);
        return JdbcClient.create(connections)
                .sql(
                        """
                        SELECT query, ssl FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)
                        WHERE application_name = 'orlojd'\
                        """)
                .query(Connection.class)
                .list();
    }

    @Test
    void serverIsKeptAndWatchedWithEveryConnectionEncrypted() throws Exception {
        try (OrlojdProcess orlojd = start(url(HOST, trusted()))) {
            RestClient client = orlojd.client();
            client.get("/readyz").expect(200);
            await().atMost(TIMEOUT)
                    .until(
                            () ->
                                    connections().stream()
                                            .anyMatch(c -> c.query().contains("LISTEN")));
            long before =
                    client.get(SERVERS).expect(200).body().at("/metadata/resourceVersion").asLong();
            try (ResumingWatcher watcher = new ResumingWatcher(orlojd.url(), SERVERS, before)) {
                client.create(
                        "default",
                        "mcpservers",
                        RunningOrlojd.http("one", "http://127.0.0.1:9/mcp"));

                await().atMost(TIMEOUT).until(() -> !watcher.seen().isEmpty());
                assertThat(watcher.seen().getFirst().type()).isEqualTo("ADDED");
                assertThat(watcher.seen().getFirst().name()).isEqualTo("one");
            }
            client.get(SERVERS + "/one").expect(200);
            assertThat(connections()).hasSizeGreaterThan(1).allMatch(Connection::ssl);
        }
    }

    @Test
    void certificateOfAnotherNameIsRefused() {
        assertThatThrownBy(() -> start(url(OTHER_HOST, trusted())))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll(
                        "orlojd: the certificate of the database is not trusted",
                        OTHER_HOST,
                        "in --database-url, the host has to be one that the certificate names")
                .hasMessageNotContaining(PASSWORD);
    }

    @Test
    void certificateOfAnotherAuthorityIsRefused() throws Exception {
        String made = "/tmp/other.crt";
        database.run(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-subj",
                "/CN=" + HOST,
                "-keyout",
                "/tmp/other.key",
                "-out",
                made);
        Path other = certificates.resolve("other.crt");
        database.copy(made, other);

        assertThatThrownBy(() -> start(url(HOST, other)))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll(
                        "orlojd: the certificate of the database is not trusted",
                        "sslrootcert the file of the CA that signed it");
    }
}

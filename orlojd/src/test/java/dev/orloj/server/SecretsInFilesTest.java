package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeHttpServer.Received;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;

/** Secrets that another tool mounts as files, from the file to the request. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecretsInFilesTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @TempDir static Path folder;

    private final FakeHttpServer server =
            FakeHttpServer.start(FakeScript.wellBehaved().tools("echo"));
    private RunningOrlojd orlojd;

    @BeforeAll
    void start() {
        orlojd =
                RunningOrlojd.start(
                        TestPostgres.freshDatabase(),
                        Map.of(
                                "orloj.secrets.directory",
                                folder.toString(),
                                "orloj.secrets.directory-interval",
                                "1s"));
    }

    @AfterAll
    void stop() {
        orlojd.close();
        server.close();
    }

    private static void write(String name, String value) throws IOException {
        Path next = Files.writeString(folder.resolve(".next"), value + "\n");
        Files.move(next, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }

    private String sent() {
        return server.received("tools/call").stream()
                .map(Received::headers)
                .map(headers -> headers.getOrDefault("authorization", ""))
                .reduce("", (_, last) -> last);
    }

    private void awaitCallWith(String token) {
        await().atMost(TIMEOUT)
                .until(
                        () ->
                                orlojd.client().call("default", "crm--echo", "{}").code() == 200
                                        && sent().equals("Bearer " + token));
    }

    private String reason(String type) {
        return orlojd.awaitCondition("default", "crm", type, "False").path("reason").asString();
    }

    @Test
    void serverFollowsTheFileAndOneThatIsGoneIsACondition() throws IOException {
        write("crm-token", "one");
        orlojd.client()
                .create(
                        "default",
                        "mcpservers",
                        RunningOrlojd.http(
                                "crm", server.endpoint(), "auth: {secretRef: crm-token}"));
        orlojd.awaitReady("default", "crm");
        awaitCallWith("one");
        assertThat(orlojd.awaitCondition("default", "crm", "Accepted", "True").toString())
                .contains(folder.resolve("crm-token").toString())
                .doesNotContain("one\"");

        write("crm-token", "two");
        awaitCallWith("two");

        Files.delete(folder.resolve("crm-token"));
        assertThat(reason("Accepted")).isEqualTo("SecretNotFound");
        assertThat(orlojd.awaitCondition("default", "crm", "Accepted", "False").toString())
                .contains("ORLOJ_SECRET_CRM_TOKEN", "has no \\\"crm-token\\\"");

        write("crm-token", "three");
        awaitCallWith("three");

        orlojd.client()
                .create(
                        "default",
                        "secrets",
                        """
                        apiVersion: orloj.dev/v1
                        kind: Secret
                        metadata: {name: crm-token}
                        spec: {stringData: {value: of the API}}
                        """);
        awaitCallWith("of the API");
        orlojd.client()
                .delete(RestClient.collection("default", "secrets") + "/crm-token")
                .expect(200);
        awaitCallWith("three");
    }
}

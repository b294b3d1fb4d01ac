package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.cli.Orlojctl;
import dev.orloj.cli.output.Console;
import dev.orloj.server.testing.NeedsSoftHsm;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.SoftHsm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** A key in a hardware security module, over a kill during a rotation and a module that is away. */
@NeedsSoftHsm
@Timeout(300)
class HardwareKeyTest {

    private static final String KEK = "pkcs11:token=orloj;object=kek";
    private static final String KEYS = "/apis/orloj.dev/v1/encryptionkeys";
    private static final String SECRETS = RestClient.collection("default", "secrets") + "/";
    private static final int SECRET_COUNT = 100;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @TempDir private Path folder;

    private OrlojdProcess start(SoftHsm hsm) throws Exception {
        return OrlojdProcess.start(
                folder.resolve("data"),
                Map.of("SOFTHSM2_CONF", hsm.configuration().toString()),
                "--secret-key-pkcs11",
                hsm.uri("orloj", "kek"));
    }

    private static void create(RestClient client, int number) {
        client.create(
                "default",
                "secrets",
                """
                apiVersion: orloj.dev/v1
                kind: Secret
                metadata: {name: s%d}
                spec: {stringData: {value: hush%d}}
                """
                        .formatted(number, number));
    }

    private static List<JsonNode> keys(RestClient client) {
        return client.get(KEYS).expect(200).body().path("items").valueStream().toList();
    }

    private static String status(String url) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        Orlojctl.run(
                new Console(
                        new ByteArrayInputStream(new byte[0]),
                        stream,
                        stream,
                        Map.of("ORLOJ_SERVER", url),
                        InstantSource.system()),
                "status");
        stream.flush();
        return out.toString(StandardCharsets.UTF_8);
    }

    private static void awaitValue(RestClient client, int number) {
        String value =
                Base64.getEncoder()
                        .encodeToString(("hush" + number).getBytes(StandardCharsets.UTF_8));
        await().atMost(TIMEOUT)
                .until(
                        () ->
                                client.get(SECRETS + "s" + number)
                                        .expect(200)
                                        .body()
                                        .at("/spec/data/value")
                                        .asString("")
                                        .equals(value));
    }

    @Test
    void secretsOutliveAKillDuringARotationAndAModuleThatIsAway() throws Exception {
        SoftHsm hsm = new SoftHsm(folder.resolve("hsm")).token("orloj", "kek");
        try (OrlojdProcess orlojd = start(hsm)) {
            for (int i = 0; i < SECRET_COUNT; i++) {
                create(orlojd.client(), i);
            }
            assertThat(folder.resolve("data/secret.key")).doesNotExist();
            orlojd.client().post(KEYS, "{}").expect(201);
            orlojd.kill();
        }
        Path away = hsm.pin().resolveSibling("away");
        Files.move(hsm.pin(), away);

        try (OrlojdProcess orlojd = start(hsm)) {
            RestClient client = orlojd.client();
            assertThat(client.text("/readyz?verbose"))
                    .contains("[-]encryption-key failed", KEK, hsm.pin().toString())
                    .contains("readyz check passed");
            assertThat(status(orlojd.url())).contains(KEK);
            assertThat(client.get(SECRETS + "s0").expect(200).body().toString())
                    .contains("missing-encryption-key");
            assertThat(keys(client))
                    .extracting(key -> key.at("/status/wrappedBy").asString())
                    .containsOnly(KEK);

            Files.move(away, hsm.pin());

            for (int i = 0; i < SECRET_COUNT; i++) {
                awaitValue(client, i);
            }
            await().atMost(TIMEOUT)
                    .untilAsserted(
                            () ->
                                    assertThat(keys(client))
                                            .filteredOn(
                                                    key -> key.at("/status/values").asLong() > 0)
                                            .extracting(key -> key.at("/status/state").asString())
                                            .containsExactly("Current"));
        }
    }
}

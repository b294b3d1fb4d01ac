package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** H-17: where endpoints lead, over the whole server. */
class EndpointsTest {

    private static final String SERVERS = RestClient.collection("default", "mcpservers");

    private static RestClient.Answer create(RunningOrlojd orlojd, String endpoint) {
        return orlojd.client()
                .post(
                        SERVERS,
                        Map.of(
                                "kind", "McpServer",
                                "metadata", Map.of("generateName", "x-"),
                                "spec", Map.of("transport", "http", "endpoint", endpoint)));
    }

    private static String connected(RunningOrlojd orlojd) {
        return orlojd.awaitCondition("default", "named", "Connected", "False")
                .path("message")
                .asString();
    }

    @Test
    void addressesAreCheckedAtApplyAndNamesWhenTheyAreLookedUp() throws Exception {
        try (FakeHttpServer fake = FakeHttpServer.start(FakeScript.wellBehaved());
                RunningOrlojd orlojd =
                        RunningOrlojd.start(
                                TestPostgres.freshDatabase(),
                                Map.of("orloj.endpoints.deny", "loopback"))) {
            for (String host :
                    List.of(
                            "169.254.169.254",
                            "[fe80::1]",
                            "[fd00:ec2::254]",
                            "[::ffff:169.254.169.254]",
                            "2852039166",
                            "0xa9fea9fe",
                            "0251.0376.0251.0376",
                            "127.0.0.1")) {
                RestClient.Answer refused = create(orlojd, "http://" + host + "/latest");
                assertThat(refused.code()).as(host).isEqualTo(422);
                assertThat(refused.text()).as(host).contains("spec.endpoint");
            }
            assertThat(create(orlojd, "http://169.254.169.254/").text())
                    .contains("--endpoint-allow 169.254.169.254");

            String name =
                    RunningOrlojd.http(
                            "named",
                            "http://localhost:%d/mcp".formatted(fake.endpoint().getPort()));
            orlojd.client().create("default", "mcpservers", name);

            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(
                            () ->
                                    assertThat(connected(orlojd))
                                            .contains(
                                                    "\"localhost\" has the address",
                                                    "loopback",
                                                    "--endpoint-allow"));
            assertThat(fake.received("initialize")).isEmpty();
        }
    }
}

package dev.orloj.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.RestClient;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;

/** I-09: a user who has too many requests gets 429, and other users do not notice. */
@Timeout(180)
class CallerLimitsOfUsersTest {

    private static final String TOOLS = RestClient.collection("default", "tools");

    @TempDir Path data;

    @Test
    void userWithTooManyRequestsGets429AndOthersAreServed() throws Exception {
        try (TestPostgres.Database database = TestPostgres.freshDatabase();
                HttpsOrlojd orlojd =
                        HttpsOrlojd.start(
                                database, data, Map.of("orloj.caller-limits.max-requests", 1))) {
            orlojd.bind("ann", "view");
            orlojd.bind("ben", "view");
            HttpsClient ann = orlojd.user("ann");
            HttpsClient ben = orlojd.user("ben");
            await().until(() -> ann.get(TOOLS).code() == 200 && ben.get(TOOLS).code() == 200);
            try (InputStream watch = ann.open(TOOLS + "?watch=true", "Accept", "*/*")) {
                HttpsClient.Answer refused = ann.get(TOOLS);

                assertThat(refused.code()).isEqualTo(429);
                assertThat(refused.text())
                        .isEqualTo("Too many requests, please try again later.\n");
                assertThat(refused.header("Retry-After")).isEqualTo("1");
                assertThat(refused.header("Content-Type")).startsWith("text/plain");
                assertThat(ben.get(TOOLS).code()).isEqualTo(200);
                assertThat(orlojd.owner().get("/metrics").text())
                        .contains("orloj_caller_refusals_total{limit=\"requests\"");
            }
            await().until(() -> ann.get(TOOLS).code() == 200);
        }
    }
}

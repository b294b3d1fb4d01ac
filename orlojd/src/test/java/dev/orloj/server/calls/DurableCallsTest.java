package dev.orloj.server.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.observation.CallId;
import dev.orloj.server.calls.DurableCalls.Order;
import dev.orloj.server.calls.DurableCalls.Work;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.store.StoredCall;
import dev.orloj.server.store.StoredCall.State;
import dev.orloj.server.store.ToolCallTable;
import dev.orloj.server.store.table.SecretCipher;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

@Timeout(60)
class DurableCallsTest {

    private static final ResourceKey TOOL = new ResourceKey("default", "echo");
    private static final byte[] BODY = "{}".getBytes(StandardCharsets.UTF_8);
    private static final SecretCipher CIPHER =
            SecretCipher.fromBase64("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");

    private final TestPostgres.Database database = TestPostgres.freshDatabase();
    private final ToolCallTable table = new ToolCallTable(database.pool(), CIPHER);
    private final DurableCalls calls =
            new DurableCalls(
                    table,
                    new RequestDigest(CIPHER.derive("test", "HmacSHA256")),
                    "here",
                    Duration.ofHours(1));

    @AfterEach
    void close() {
        calls.close();
        database.close();
    }

    private String begin(String id, Optional<String> key, Work work) {
        return calls.begin(new Order(TOOL, "caller", key, BODY, new CallId(id)), work).id();
    }

    private StoredCall ended(String id) throws InterruptedException {
        return calls.await(TOOL, id).orElseThrow();
    }

    @Test
    void callWhoseWorkBreaksHasFailed() throws Exception {
        begin(
                "one",
                Optional.of("key"),
                () -> {
                    throw new IllegalStateException("secret");
                });

        StoredCall call = ended("one");

        assertThat(call.state()).isEqualTo(State.Failed);
        assertThat(call.answer().orElseThrow().toString())
                .contains("InternalError", "under the id")
                .doesNotContain("secret");
        // It may have been made: its key makes no other.
        assertThat(
                        begin(
                                "two",
                                Optional.of("key"),
                                () -> CallAnswer.completed(call.answer().get())))
                .isEqualTo("one");
    }

    @Test
    void callThatHasBegunIsFoundByItsKeyWhenThereIsNoRoom() {
        CountDownLatch end = new CountDownLatch(1);
        Work work =
                () -> {
                    end.await();
                    return CallAnswer.completed(Json.MAPPER.createObjectNode());
                };
        begin("first", Optional.of("key"), work);
        for (int i = 1; i < DurableCalls.MAX_RUNNING; i++) {
            begin("call-" + i, Optional.empty(), work);
        }

        assertThat(begin("again", Optional.of("key"), work)).isEqualTo("first");
        assertThatThrownBy(() -> begin("more", Optional.of("other"), work))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("wait for some to end");
        end.countDown();
    }

    /** The result of the call is known nowhere else. */
    @Test
    void answerIsKeptWhenTheDatabaseTakesItAgain() throws Exception {
        database.jdbc()
                .sql(
                        """
                        CREATE SEQUENCE refused;
                        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
                        BEGIN
                          PERFORM nextval('refused');
                          RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'No space left';
                        END $$;
                        CREATE TRIGGER refuse BEFORE UPDATE ON tool_call FOR EACH ROW
                          EXECUTE FUNCTION refuse();
                        """)
                .update();
        begin("one", Optional.empty(), () -> CallAnswer.completed(Json.MAPPER.readTree("[1]")));
        await().until(() -> refusals() >= 2);
        assertThat(calls.find(TOOL, "one").orElseThrow().isRunning()).isTrue();

        database.jdbc().sql("DROP TRIGGER refuse ON tool_call").update();

        StoredCall call = ended("one");
        assertThat(call.state()).isEqualTo(State.Completed);
        assertThat(call.answer()).contains(Json.MAPPER.readTree("[1]"));
    }

    private long refusals() {
        return database.jdbc()
                .sql("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM refused")
                .query(Long.class)
                .single();
    }

    @Test
    void abandonedCallIsFoundThoughItsReplicaMakesOthers() {
        for (String id : Set.of("made", "lost")) {
            table.begin(
                    new ToolCallTable.Beginning(
                            id, TOOL, "caller", Optional.empty(), "request", "here"));
        }
        database.jdbc()
                .sql("UPDATE tool_call SET seen_at = seen_at - interval '1 minute'")
                .update();

        table.showLife(Set.of("made"));

        assertThat(table.abandoned(CallMaintenance.SILENCE))
                .extracting(StoredCall::id)
                .containsExactly("lost");
    }
}

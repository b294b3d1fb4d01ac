package dev.orloj.runtime.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Response;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

class PendingRequestsTest {

    private final PendingRequests pending = new PendingRequests();
    private final AtomicInteger late = new AtomicInteger();
    private final OutgoingRequest request =
            new OutgoingRequest("tools/call", null)
                    .heardBy(ServerRequest::refuse, late::incrementAndGet);

    @Test
    void answerAfterTheTimeoutIsHeardOnce() {
        PendingRequests.Pending sent = pending.add(request);
        assertThatThrownBy(
                        () ->
                                pending.await(
                                        sent,
                                        request,
                                        RequestDeadline.after(Duration.ZERO),
                                        notice -> {}))
                .isInstanceOf(RequestTimeoutException.class);
        assertThat(late).hasValue(0);

        answer(sent);
        answer(sent);

        assertThat(late).hasValue(1);
        assertThat(pending.unknownAnswers()).isEqualTo(2);
    }

    @Test
    void answerInTimeIsNotLate() throws Exception {
        PendingRequests.Pending sent = pending.add(request);
        answer(sent);

        pending.await(sent, request, RequestDeadline.after(Duration.ofSeconds(10)), notice -> {});

        assertThat(late).hasValue(0);
    }

    private void answer(PendingRequests.Pending sent) {
        JsonNode id = JsonNodeFactory.instance.numberNode(sent.id());
        pending.complete(id, new Response(id, Json.MAPPER.createObjectNode()), 2);
    }
}

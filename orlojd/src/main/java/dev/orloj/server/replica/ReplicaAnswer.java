package dev.orloj.server.replica;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Reads the response of a replica line by line, at the pace of one consuming thread. A replica that
 * sends no line and no heartbeat within {@link #SILENCE} counts as gone.
 */
final class ReplicaAnswer implements HttpResponse.BodyHandler<Void>, Flow.Subscriber<String> {

    static final Duration SILENCE = Duration.ofMillis(3 * ReplicaStream.BEAT_MILLIS);

    /** The status codes with which a replica rejects a request before it starts any work. */
    private static final Set<Integer> REFUSALS = Set.of(400, 401, 403, 404, 405, 413);

    private final String replica;
    private final URI address;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private volatile int status = 200;
    private volatile Flow.@Nullable Subscription subscription;

    private sealed interface Event {
        record Line(String text) implements Event {}

        record End(@Nullable Throwable failure) implements Event {}
    }

    ReplicaAnswer(String replica, URI address) {
        this.replica = replica;
        this.address = address;
    }

    @Override
    public HttpResponse.BodySubscriber<Void> apply(HttpResponse.ResponseInfo info) {
        status = info.statusCode();
        return HttpResponse.BodySubscribers.fromLineSubscriber(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription lines) {
        subscription = lines;
        lines.request(1);
    }

    @Override
    public void onNext(String line) {
        events.add(new Event.Line(line));
    }

    @Override
    public void onError(Throwable failure) {
        events.add(new Event.End(failure));
    }

    @Override
    public void onComplete() {
        events.add(new Event.End(null));
    }

    /**
     * Reports that the exchange failed. Once lines arrive, the end of their stream reports the
     * failure instead, after the last line.
     */
    void failed(Throwable failure) {
        if (subscription == null) {
            events.add(
                    new Event.End(
                            failure instanceof CompletionException wrapped
                                    ? wrapped.getCause()
                                    : failure));
        }
    }

    /** Waits for the response, after it passes on the notifications that precede it. */
    ObjectNode await(Consumer<ObjectNode> notification)
            throws ReplicaLostException, InterruptedException {
        StringBuilder refusal = new StringBuilder();
        while (true) {
            Event event = events.poll(SILENCE.toMillis(), TimeUnit.MILLISECONDS);
            switch (event) {
                case null -> throw lost("has sent nothing for " + SILENCE.toSeconds() + " s", true);
                case Event.End(Throwable failure) -> throw ended(failure, refusal.toString());
                case Event.Line(String text) -> {
                    if (status != 200) {
                        refusal.append(text);
                    } else {
                        switch (ReplicaStream.decode(text)) {
                            case ReplicaStream.Message(ObjectNode content) ->
                                    notification.accept(content);
                            case ReplicaStream.Beat() -> {}
                            case ReplicaStream.Answer(ObjectNode content) -> {
                                return content;
                            }
                            case ReplicaStream.Failure(String why) ->
                                    throw lost("gave no answer: " + why, true);
                        }
                    }
                    requestNext();
                }
            }
        }
    }

    private void requestNext() {
        Flow.Subscription lines = subscription;
        if (lines != null) {
            lines.request(1);
        }
    }

    private ReplicaLostException ended(@Nullable Throwable failure, String refusal) {
        if (failure instanceof ConnectException || failure instanceof HttpConnectTimeoutException) {
            return lost("takes no connection at " + address, false);
        }
        if (failure != null) {
            return lost("went away", true);
        }
        return status == 200
                ? lost("went away", true)
                : lost(
                        "answered with HTTP %d: %s".formatted(status, refusal),
                        !REFUSALS.contains(status));
    }

    private ReplicaLostException lost(String what, boolean delivered) {
        return new ReplicaLostException(
                "the replica \"%s\" of orlojd %s".formatted(replica, what), delivered);
    }
}

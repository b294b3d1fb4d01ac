package dev.orloj.server.rest.watch;

import dev.orloj.api.ResourceVersion;
import dev.orloj.api.client.Watch;
import dev.orloj.api.client.WatchOptions;
import dev.orloj.server.disconnect.ClientDisconnects;
import dev.orloj.server.registry.ResourceReader;
import dev.orloj.server.rest.http.HttpExchange;
import dev.orloj.server.rest.http.OpenStreams;
import dev.orloj.server.rest.http.QueryParameters;
import dev.orloj.server.rest.presentation.Presentation;
import dev.orloj.server.rest.request.ReadParameters;
import dev.orloj.server.rest.request.ServedKinds;
import dev.orloj.server.rest.request.Target;

import org.springframework.stereotype.Component;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Streams the changes of a collection: one JSON event a line, or a frame of a web socket when the
 * client requests one. The virtual thread of the request writes lines until the timeout, the client
 * is gone or the server stops.
 */
@Component
public class WatchEndpoint {

    private static final int SHORTEST_DEFAULT_SECONDS = 1_800;

    private final ServedKinds kinds;
    private final WebSocketWatches webSockets;
    private final OpenStreams streams;
    private final ClientDisconnects disconnects;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final EncodedEvents encoded = new EncodedEvents();

    WatchEndpoint(
            ServedKinds kinds,
            WebSocketWatches webSockets,
            OpenStreams streams,
            ClientDisconnects disconnects,
            InstantSource clock,
            RandomGenerator random) {
        this.kinds = kinds;
        this.webSockets = webSockets;
        this.streams = streams;
        this.disconnects = disconnects;
        this.clock = clock;
        this.random = random;
    }

    public void stream(Target.Collection target, HttpExchange exchange)
            throws IOException, InterruptedException {
        ReadParameters parameters = ReadParameters.of(exchange.query());
        Presentation presentation = Presentation.negotiate(exchange, target.kind(), clock);
        boolean bookmarks = exchange.query().isOn("allowWatchBookmarks");
        boolean initialEnd = parameters.initialEvents().orElse(false);
        Function<EventSink, EventWriter> writer =
                sink -> new EventWriter(sink, encoded, presentation, bookmarks, initialEnd);
        WatchFeed feed =
                new WatchFeed(() -> open(target, parameters), timeout(exchange.query()), clock);
        if (WebSocketWatches.isRequested(exchange.request())) {
            webSockets.upgrade(exchange, feed, writer);
            return;
        }
        try (feed;
                OpenStreams.Registration _ = streams.registerWatch(feed::close);
                ClientDisconnects.ConnectionWatch _ =
                        disconnects.watch(exchange.request(), feed::close)) {
            feed.sendTo(writer.apply(new EventLines(exchange.response())));
        }
    }

    private Watch<ObjectNode> open(Target.Collection target, ReadParameters parameters) {
        ResourceReader resources = kinds.reader(target.kind());
        ResourceVersion from =
                switch (parameters.initialEvents().map(Object::toString).orElse("")) {
                    case "true" -> ResourceVersion.UNSET;
                    case "false" ->
                            parameters.atLeast().isSet()
                                    ? parameters.atLeast()
                                    : resources.head(target.kind());
                    default -> parameters.atLeast();
                };
        return resources.watch(
                target.kind(),
                new WatchOptions(
                        target.namespace(), parameters.labels(), parameters.fields(), from));
    }

    private Duration timeout(QueryParameters query) {
        int seconds = query.number("timeoutSeconds").orElse(0);
        return Duration.ofSeconds(
                seconds > 0
                        ? seconds
                        : SHORTEST_DEFAULT_SECONDS + random.nextInt(SHORTEST_DEFAULT_SECONDS));
    }
}

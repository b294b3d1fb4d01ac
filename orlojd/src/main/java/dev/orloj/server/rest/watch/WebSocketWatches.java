package dev.orloj.server.rest.watch;

import dev.orloj.server.authorization.Rights;
import dev.orloj.server.rest.http.HttpExchange;
import dev.orloj.server.rest.http.OpenStreams;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.websocket.CloseReason;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Sends watches over web sockets, each from a thread of its own, while the container reads what the
 * client sends: it answers pings, and a close ends the watch. A client that takes no events within
 * the container's send timeout loses its connection, and resumes.
 */
@Component
class WebSocketWatches {

    private static final Logger log = LoggerFactory.getLogger(WebSocketWatches.class);
    private static final int HANDSHAKE_SECONDS = 30;

    private final OpenStreams streams;

    WebSocketWatches(OpenStreams streams) {
        this.streams = streams;
    }

    static boolean isRequested(HttpServletRequest request) {
        return "websocket".equalsIgnoreCase(request.getHeader("Upgrade"));
    }

    /**
     * Responds with a web socket that carries the feed, and closes the feed in the end.
     *
     * @param writer formats events for a sink
     */
    void upgrade(HttpExchange exchange, WatchFeed feed, Function<EventSink, EventWriter> writer)
            throws IOException {
        Connection connection = new Connection(feed);
        Rights rights = Rights.of(exchange.request());
        Thread.ofVirtual()
                .name("watch-websocket")
                .start(() -> send(connection, feed, rights, writer));
        ServerEndpointConfig config =
                ServerEndpointConfig.Builder.create(Connection.class, "/")
                        .configurator(new Sole(connection))
                        .build();
        try {
            container(exchange.request())
                    .upgradeHttpToWebSocket(
                            exchange.request(), exchange.response(), config, Map.of());
        } catch (DeploymentException e) {
            throw new IllegalStateException("the web socket of a watch is misconfigured", e);
        } finally {
            if (exchange.response().getStatus() != 101) {
                connection.opened.cancel(false);
            }
        }
    }

    private static ServerContainer container(HttpServletRequest request) {
        return (ServerContainer)
                request.getServletContext().getAttribute(ServerContainer.class.getName());
    }

    /** The request ends with its upgrade, so this ends with the right of its user to it. */
    private void send(
            Connection connection,
            WatchFeed feed,
            Rights rights,
            Function<EventSink, EventWriter> writer) {
        try (feed;
                Rights.Watch _ = rights.watch(() -> closeUnlessAllowed(feed, rights));
                OpenStreams.Registration _ = streams.registerWatch(feed::close)) {
            closeUnlessAllowed(feed, rights);
            Session session = connection.opened.get(HANDSHAKE_SECONDS, TimeUnit.SECONDS);
            try (session) {
                feed.sendTo(writer.apply(new EventFrames(session)));
            }
        } catch (ExecutionException | TimeoutException | IOException e) {
            log.atDebug().addKeyValue("error", e.toString()).log("Client disconnected");
        } catch (java.util.concurrent.CancellationException e) {
            // The handshake failed, and the client has the error.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void closeUnlessAllowed(WatchFeed feed, Rights rights) {
        if (!rights.allowRequest()) {
            feed.close();
        }
    }

    /** Receives the container's callbacks for one socket, one at a time. */
    private static final class Connection extends Endpoint {

        private final WatchFeed feed;
        private final CompletableFuture<Session> opened = new CompletableFuture<>();

        Connection(WatchFeed feed) {
            this.feed = feed;
        }

        @Override
        public void onOpen(Session session, EndpointConfig config) {
            opened.complete(session);
        }

        @Override
        public void onClose(Session session, CloseReason reason) {
            feed.close();
        }

        @Override
        public void onError(Session session, Throwable error) {
            feed.close();
        }
    }

    /** Makes the container use the existing endpoint instead of a new one. */
    private static final class Sole extends ServerEndpointConfig.Configurator {

        private final Connection connection;

        Sole(Connection connection) {
            this.connection = connection;
        }

        @Override
        public <T> T getEndpointInstance(Class<T> type) {
            return type.cast(connection);
        }
    }
}

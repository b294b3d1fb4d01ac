package dev.orloj.server.rest;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.WatchEvent;
import dev.orloj.api.client.Watch;
import dev.orloj.api.client.WatchClosedException;
import dev.orloj.api.client.WatchOptions;
import dev.orloj.server.registry.ResourceRegistry;

import jakarta.servlet.http.HttpServletResponse;

import org.springframework.stereotype.Component;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Streams the changes of a collection, one JSON event a line. The thread of the request does so
 * until the time is up, the client is gone or the server stops; it is a virtual one.
 */
@Component
class WatchEndpoint {

    private static final int SHORTEST_DEFAULT_SECONDS = 1_800;

    private final ResourceRegistry registry;
    private final OpenStreams streams;
    private final InstantSource clock;
    private final RandomGenerator random;

    WatchEndpoint(
            ResourceRegistry registry,
            OpenStreams streams,
            InstantSource clock,
            RandomGenerator random) {
        this.registry = registry;
        this.streams = streams;
        this.clock = clock;
        this.random = random;
    }

    void stream(Target.Collection target, Exchange exchange)
            throws IOException, InterruptedException {
        if ("websocket".equalsIgnoreCase(exchange.request().getHeader("Upgrade"))) {
            refuseUpgrade(exchange.response());
            return;
        }
        ReadParameters parameters = ReadParameters.of(exchange.query());
        Presentation presentation = Presentation.negotiate(exchange, target.kind(), clock);
        Duration patience = patience(exchange.query());
        EventWriter events = new EventWriter(exchange, presentation, parameters);
        try (Watch<ObjectNode> watch = open(target, parameters);
                OpenStreams.Registration _ = streams.register(watch::close)) {
            events.open();
            forward(watch, events, clock.instant().plus(patience));
        } catch (WatchClosedException e) {
            events.open(); // ends without an error: nothing is lost for who resumes
        } catch (ApiException e) {
            if (e.reason() != ErrorReason.EXPIRED) {
                throw e;
            }
            events.open();
            events.error(e.toStatus());
        }
    }

    private void forward(Watch<ObjectNode> watch, EventWriter events, Instant end)
            throws IOException, InterruptedException {
        while (true) {
            Duration left = Duration.between(clock.instant(), end);
            if (!left.isPositive()) {
                return;
            }
            Optional<WatchEvent<ObjectNode>> event = watch.next(left);
            if (event.isPresent()) {
                events.write(event.get());
            }
        }
    }

    private Watch<ObjectNode> open(Target.Collection target, ReadParameters parameters) {
        ResourceVersion from =
                switch (parameters.initialEvents().map(Object::toString).orElse("")) {
                    case "true" -> ResourceVersion.UNSET;
                    case "false" ->
                            parameters.atLeast().isSet()
                                    ? parameters.atLeast()
                                    : registry.head(target.kind());
                    default -> parameters.atLeast();
                };
        return registry.watch(
                target.kind(),
                new WatchOptions(
                        target.namespace(), parameters.labels(), parameters.fields(), from));
    }

    private Duration patience(Query query) {
        int seconds = query.number("timeoutSeconds").orElse(0);
        return Duration.ofSeconds(
                seconds > 0
                        ? seconds
                        : SHORTEST_DEFAULT_SECONDS + random.nextInt(SHORTEST_DEFAULT_SECONDS));
    }

    /** Clients that try a web socket first fall back to a plain stream when they read this. */
    private static void refuseUpgrade(HttpServletResponse response) throws IOException {
        response.setHeader("Connection", "close");
        Answers.bytes(response, 200, MediaTypes.JSON, new byte[0]);
    }
}

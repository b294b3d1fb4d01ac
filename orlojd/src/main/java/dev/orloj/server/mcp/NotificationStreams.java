package dev.orloj.server.mcp;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Response;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.server.authorization.Rights;
import dev.orloj.server.disconnect.ClientDisconnects;
import dev.orloj.server.mcp.catalog.FeatureNames.Owned;
import dev.orloj.server.mcp.methods.FeatureHandlers;
import dev.orloj.server.mcp.protocol.ClientRequest;
import dev.orloj.server.mcp.protocol.ClientSession;
import dev.orloj.server.mcp.protocol.EndpointScope;
import dev.orloj.server.mcp.protocol.EventStream;
import dev.orloj.server.mcp.protocol.ListKind;
import dev.orloj.server.mcp.protocol.ProtocolError;
import dev.orloj.server.mcp.protocol.RequestHeaders;
import dev.orloj.server.mcp.protocol.ReservedMeta;
import dev.orloj.server.mcp.resumption.EventId;
import dev.orloj.server.mcp.resumption.RecordedEvent;
import dev.orloj.server.mcp.resumption.RecordedStream;
import dev.orloj.server.mcp.resumption.RecordedStreams;
import dev.orloj.server.mcp.resumption.Resumption;
import dev.orloj.server.mcp.resumption.StreamKind;
import dev.orloj.server.mcp.subscriptions.DroppableNotifications;
import dev.orloj.server.mcp.subscriptions.ResourceSubscriptions;
import dev.orloj.server.mcp.subscriptions.Subscription;
import dev.orloj.server.mcp.subscriptions.SubscriptionFilter;
import dev.orloj.server.mcp.subscriptions.Subscriptions;
import dev.orloj.server.rest.http.OpenStreams;

import jakarta.servlet.http.HttpServletResponse;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Serves the streams of unsolicited notifications: the GET stream of a session, and {@code
 * subscriptions/listen} of revision 2026-07-28. Each runs on the virtual thread of its request,
 * which waits most of the time. Thread-safe.
 */
final class NotificationStreams {

    /** Short enough to keep the connection open through common proxies. */
    private static final Duration BEAT = Duration.ofSeconds(15);

    private static final String RESOURCES = "resourceSubscriptions";
    private static final String ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

    private final Subscriptions subscriptions;
    private final OpenStreams streams;
    private final FeatureHandlers features;
    private final ClientDisconnects disconnects;
    private final RecordedStreams recorded;

    NotificationStreams(
            Subscriptions subscriptions,
            OpenStreams streams,
            FeatureHandlers features,
            ClientDisconnects disconnects,
            RecordedStreams recorded) {
        this.subscriptions = subscriptions;
        this.streams = streams;
        this.features = features;
        this.disconnects = disconnects;
        this.recorded = recorded;
    }

    /** Sends a session its notifications until either side ends the stream. */
    void follow(
            EndpointScope scope,
            ClientSession session,
            RequestHeaders headers,
            HttpServletResponse response)
            throws IOException, InterruptedException {
        Resumption resumption = resumption(session);
        Object connection = new Object();
        Optional<EventId> last = headers.lastEventId().map(NotificationStreams::eventId);
        Optional<RecordedStream> known =
                last.flatMap(id -> recorded.resume(session.id(), id, connection));
        if (known.isEmpty() && last.filter(id -> id.kind() == StreamKind.POST).isPresent()) {
            throw ProtocolError.invalidRequest(
                    400,
                    "The stream of this event is not kept here any more, or a part of it: what it"
                            + " was the answer to may have been done");
        }
        RecordedStream stream =
                known.isPresent()
                        ? known.get()
                        : open(scope, session, headers.rights(), connection, last.isPresent());
        long from = known.isPresent() ? last.get().number() : 0;
        try (ClientDisconnects.ConnectionWatch _ =
                        disconnects.watch(headers.request(), () -> stream.release(connection));
                OpenStreams.Registration _ = streams.register(() -> stream.release(connection))) {
            EventStream out = new EventStream(response);
            out.open();
            if (resumption.primes() && known.isEmpty()) {
                out.prime(stream.beginning());
                out.flush();
            }
            forward(stream, from, connection, out);
        } finally {
            stream.release(connection);
        }
    }

    /** How the streams of a session are resumed. */
    Resumption resumption(ClientSession session) {
        return new Resumption(
                recorded, session.id(), session.revision() == ProtocolRevision.V2025_11_25);
    }

    private static EventId eventId(String text) {
        return EventId.parse(text)
                .orElseThrow(
                        () ->
                                ProtocolError.invalidRequest(
                                        400,
                                        "\"%s\" is no id of an event that was sent here"
                                                .formatted(RequestHeaders.LAST_EVENT_ID)));
    }

    /**
     * A stream that begins now.
     *
     * @param missed whether the session may have missed something
     */
    private RecordedStream open(
            EndpointScope scope,
            ClientSession session,
            Rights rights,
            Object connection,
            boolean missed) {
        Resumption resumption = resumption(session);
        recorded.supersede(resumption.session());
        Subscription subscription =
                subscriptions.open(
                        scope,
                        session.id(),
                        rights,
                        SubscriptionFilter.ofSession(session.caller()));
        if (missed) {
            Arrays.stream(ListKind.values()).forEach(subscription::listChanged);
        }
        RecordedStream stream = resumption.open(StreamKind.GET, connection, subscription::close);
        Thread.ofVirtual().name("orloj-mcp-notify").start(() -> record(subscription, stream));
        return stream;
    }

    /** Sends to the connected client until the session ends or no client comes back. */
    private static void record(Subscription subscription, RecordedStream stream) {
        try (subscription) {
            while (!subscription.isClosed()) {
                for (Notification message : subscription.next(BEAT)) {
                    stream.appendOnce(
                            JsonRpcCodec.encode(message),
                            DroppableNotifications.canBeMissed(message));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            stream.end();
        }
    }

    private static void forward(
            RecordedStream stream, long from, Object connection, EventStream out)
            throws IOException, InterruptedException {
        long sent = from;
        for (Optional<List<RecordedEvent>> next = stream.after(sent, connection, BEAT);
                next.isPresent();
                next = stream.after(sent, connection, BEAT)) {
            if (next.get().isEmpty()) {
                out.beat();
            }
            for (RecordedEvent event : next.get()) {
                out.write(event.id(), event.content());
                sent = event.id().number();
            }
            out.flush();
        }
    }

    /**
     * Acknowledges the filter of a client with the part that is granted, then sends the
     * notifications that match.
     */
    void listen(ClientRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        Requested requested = requested(request);
        EventStream stream = new EventStream(response);
        try (Subscription subscription =
                        subscriptions.open(
                                request.scope(), "", request.rights(), requested.filter());
                ClientDisconnects.ConnectionWatch _ =
                        disconnects.watch(request.headers().request(), subscription::close);
                OpenStreams.Registration _ = streams.register(subscription::close)) {
            stream.open();
            stream.write(acknowledgement(request.id(), agreed(requested, subscription)));
            stream.flush();
            forward(subscription, stream, request.id());
            ObjectNode result = Json.MAPPER.createObjectNode().put("resultType", "complete");
            result.putObject(ReservedMeta.MEMBER).set(ReservedMeta.SUBSCRIPTION_ID, request.id());
            stream.write(new Response(request.id(), result));
            stream.flush();
        }
    }

    /**
     * @param id that every message carries
     */
    private static void forward(Subscription subscription, EventStream stream, JsonNode id)
            throws IOException, InterruptedException {
        while (!subscription.isClosed()) {
            List<Notification> notifications = subscription.next(BEAT);
            if (notifications.isEmpty() && !subscription.isClosed()) {
                stream.beat();
            }
            for (Notification message : notifications) {
                stream.write(marked(message, id));
            }
            stream.flush();
        }
    }

    /**
     * The filter that a client requests.
     *
     * @param resources by the URIs that the client uses
     */
    private record Requested(Set<ListKind> lists, Map<String, Owned> resources) {

        SubscriptionFilter filter() {
            return new SubscriptionFilter(lists, resources.keySet(), false);
        }
    }

    /**
     * Reads the filter of the client, without lists that do not exist.
     *
     * @throws ProtocolError when the filter is too large, or names something outside the endpoint
     */
    private Requested requested(ClientRequest request) {
        JsonNode filter = request.params().path("notifications");
        if (!filter.isObject()) {
            throw ProtocolError.invalidParams(
                    "\"params.notifications\" must be an object, such as {\"%s\": true}"
                            .formatted(ListKind.TOOLS.filter()));
        }
        Set<ListKind> lists = EnumSet.noneOf(ListKind.class);
        for (ListKind list : ListKind.values()) {
            if (filter.path(list.filter()).asBoolean(false)
                    && features.hasList(request.scope(), request.rights(), list)) {
                lists.add(list);
            }
        }
        return new Requested(lists, resources(request, filter.path(RESOURCES)));
    }

    private static Map<String, Owned> resources(ClientRequest request, JsonNode uris) {
        if (uris.size() > ResourceSubscriptions.MAX_PER_CLIENT) {
            throw ProtocolError.invalidParams(
                    "\"params.notifications.%s\" has %d resources; a client can subscribe to %d"
                            .formatted(
                                    RESOURCES, uris.size(), ResourceSubscriptions.MAX_PER_CLIENT));
        }
        Map<String, Owned> resources = new LinkedHashMap<>();
        for (JsonNode uri : uris) {
            if (uri.isString()) {
                resources.put(uri.asString(), FeatureHandlers.ownerOfUri(request, uri.asString()));
            }
        }
        return resources;
    }

    /**
     * The part of the filter that can be granted: asks each server whether it notifies about the
     * resource.
     */
    private SubscriptionFilter agreed(Requested requested, Subscription subscription)
            throws InterruptedException {
        Set<String> followed = new HashSet<>();
        for (Map.Entry<String, Owned> resource : requested.resources().entrySet()) {
            if (subscription.isClosed()) {
                break; // the client is gone: there is no one to notify
            }
            if (features.follow(resource.getValue())) {
                followed.add(resource.getKey());
            }
        }
        return new SubscriptionFilter(requested.lists(), followed, false);
    }

    private static Notification acknowledgement(JsonNode id, SubscriptionFilter filter) {
        ObjectNode params = Json.MAPPER.createObjectNode();
        ObjectNode agreed = params.putObject("notifications");
        for (ListKind list : ListKind.values()) {
            if (filter.lists().contains(list)) {
                agreed.put(list.filter(), true);
            }
        }
        if (!filter.resources().isEmpty()) {
            filter.resources().stream().sorted().forEach(agreed.putArray(RESOURCES)::add);
        }
        return marked(new Notification(ACKNOWLEDGED, params), id);
    }

    private static Notification marked(Notification message, JsonNode id) {
        ObjectNode params = Json.MAPPER.createObjectNode();
        if (message.params() instanceof ObjectNode given) {
            params.setAll(given.deepCopy());
        }
        params.withObjectProperty(ReservedMeta.MEMBER).set(ReservedMeta.SUBSCRIPTION_ID, id);
        return new Notification(message.method(), params);
    }
}

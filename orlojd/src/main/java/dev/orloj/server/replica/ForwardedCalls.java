package dev.orloj.server.replica;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.call.CallOutcome;
import dev.orloj.runtime.call.CallOutcome.ServerUnavailable;
import dev.orloj.runtime.call.OtherReplicas;
import dev.orloj.runtime.catalog.Refusal;
import dev.orloj.runtime.client.SessionRequest;

import java.util.Optional;

/** Forwards requests to the replicas that hold the sessions of their servers. Thread-safe. */
final class ForwardedCalls implements OtherReplicas {

    private final Replicas replicas;

    ForwardedCalls(Replicas replicas) {
        this.replicas = replicas;
    }

    @Override
    public Optional<Route> find(String replica) {
        return replicas.find(replica)
                .map(address -> (server, request) -> send(replica, server, request));
    }

    private CallOutcome send(String replica, ResourceKey server, SessionRequest request)
            throws InterruptedException {
        try {
            return CallService.read(
                    replicas.ask(
                            replica,
                            CallService.KIND,
                            CallService.request(server, request),
                            notification ->
                                    CallNotifications.dispatch(
                                            notification,
                                            request.progress(),
                                            request.client().logs())),
                    server,
                    request.observation());
        } catch (ReplicaLostException e) {
            return new ServerUnavailable(
                    new Refusal(
                            server,
                            ServerUnavailable.WHY + ": it is a singleton, and " + e.getMessage(),
                            ""),
                    e.delivered());
        }
    }
}

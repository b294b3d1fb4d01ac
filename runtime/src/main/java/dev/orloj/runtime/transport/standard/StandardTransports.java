package dev.orloj.runtime.transport.standard;

import dev.orloj.runtime.container.ContainerEngine;
import dev.orloj.runtime.network.AddressRotation;
import dev.orloj.runtime.network.EndpointAddresses;
import dev.orloj.runtime.network.EndpointClients;
import dev.orloj.runtime.network.EndpointProbe;
import dev.orloj.runtime.network.EndpointResolver;
import dev.orloj.runtime.oauth.Authorizations;
import dev.orloj.runtime.oauth.OAuthException;
import dev.orloj.runtime.oauth.OAuthSettings;
import dev.orloj.runtime.oauth.RequestAuthorization;
import dev.orloj.runtime.reading.MessageLimits;
import dev.orloj.runtime.scale.ScaledServer;
import dev.orloj.runtime.scale.ServerScaling;
import dev.orloj.runtime.scale.WorkloadScaler;
import dev.orloj.runtime.subject.SubjectToken;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.Transports;
import dev.orloj.runtime.transport.http.EndpointClient;
import dev.orloj.runtime.transport.http.EndpointRequestExecutor;
import dev.orloj.runtime.transport.http.SseTransport;
import dev.orloj.runtime.transport.http.StreamableHttpTransport;
import dev.orloj.runtime.transport.stdio.StdioTransport;
import dev.orloj.runtime.workload.LogBuffer;
import dev.orloj.runtime.workload.Supervisor;
import dev.orloj.runtime.workload.WorkloadException;

import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.io.CloseMode;

import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Supplier;

/**
 * Creates transports for host processes, containers and HTTP. All HTTP connections share one pool,
 * which is large enough that no request waits for another one. Closing it ends all HTTP exchanges;
 * the supervisor ends processes, and the engine ends containers. Thread-safe.
 */
public final class StandardTransports implements Transports, AutoCloseable {

    private final Supervisor supervisor;
    private final ContainerEngine containers;
    private final PodLauncher pods;
    private final Optional<WorkloadScaler> scaler;
    private final EndpointProbe probe;
    private final MessageLimits limits;
    private final EndpointClient client;
    private final Authorizations authorizations;
    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().daemon().name("orloj-http-timer").factory());

    public StandardTransports(Supervisor supervisor, ContainerEngine containers) {
        this(supervisor, containers, EndpointAddresses.DEFAULT, MessageLimits.usual());
    }

    /**
     * @param limits limits of messages from servers
     */
    public StandardTransports(
            Supervisor supervisor,
            ContainerEngine containers,
            EndpointAddresses endpoints,
            MessageLimits limits) {
        this(
                supervisor,
                containers,
                PodLauncher.NONE,
                Optional.empty(),
                endpoints,
                limits,
                Optional::empty);
    }

    /**
     * @param pods starts servers in Pods
     * @param scaler scales what runs servers over HTTP; empty for an orlojd that has no cluster
     * @param endpoints the addresses at which servers may be reached over HTTP
     * @param limits limits of messages from servers
     * @param gateway the id of this installation, sent with requests over HTTP
     */
    public StandardTransports(
            Supervisor supervisor,
            ContainerEngine containers,
            PodLauncher pods,
            Optional<WorkloadScaler> scaler,
            EndpointAddresses endpoints,
            MessageLimits limits,
            Supplier<Optional<String>> gateway) {
        this.limits = limits;
        this.supervisor = supervisor;
        this.containers = containers;
        this.pods = pods;
        this.scaler = scaler;
        EndpointResolver resolver = new EndpointResolver(endpoints);
        this.probe = new EndpointProbe(resolver);
        this.client = newClient(resolver, gateway);
        this.authorizations = new Authorizations(endpoints, timer, InstantSource.system());
        timer.setRemoveOnCancelPolicy(true);
    }

    @Override
    public Transport create(ServerAddress address, LogBuffer stderr, String label) {
        return create(address, stderr, label, limits.maxMessageBytes());
    }

    @Override
    public Transport create(
            ServerAddress address, LogBuffer stderr, String label, int maxMessageBytes) {
        MessageLimits most = limits.atMost(maxMessageBytes);
        return switch (address) {
            case ServerAddress.Stdio stdio ->
                    new StdioTransport(
                            () -> supervisor.start(stdio.command(), stdio.env(), stdio.user()),
                            stderr,
                            label,
                            stdio.shutdownGrace(),
                            most);
            case ServerAddress.Exec exec ->
                    new StdioTransport(
                            () -> containers.exec(exec.target(), exec.command(), exec.env()),
                            stderr,
                            label,
                            exec.grace(),
                            most);
            case ServerAddress.Container container ->
                    new StdioTransport(
                            () -> containers.start(container.spec()),
                            stderr,
                            label,
                            container.shutdownGrace(),
                            most);
            case ServerAddress.Pod pod ->
                    new StdioTransport(
                            () -> pods.start(pod.spec(), pod.template(), pod.reuse()),
                            stderr,
                            label,
                            pod.grace(),
                            most);
            case ServerAddress.Sse(ServerAddress.Http http) ->
                    scaled(
                            http,
                            new SseTransport(
                                    client, http, authorization(http), timer, stderr, label, most));
            case ServerAddress.Http http ->
                    scaled(
                            http,
                            new StreamableHttpTransport(
                                    client, http, authorization(http), timer, stderr, label, most));
        };
    }

    private Transport scaled(ServerAddress.Http http, Transport connection) {
        if (http.scaled().isEmpty()) {
            return connection;
        }
        ScaledServer server = http.scaled().get();
        return new ScaledTransport(
                connection, () -> scaler().hold(server, () -> probe.accepts(http.endpoint())));
    }

    private WorkloadScaler scaler() {
        return scaler.orElseThrow(
                () ->
                        new WorkloadException(
                                "this orlojd scales no workloads; start it in a cluster with"
                                    + " --container-engine pod, or remove spec.scale_target_ref"));
    }

    @Override
    public ServerScaling scaling() {
        return scaler.<ServerScaling>map(scaled -> scaled).orElse(ServerScaling.NONE);
    }

    @Override
    public void authorize(ServerAddress address, SubjectToken token) {
        ServerAddress.Http http =
                switch (address) {
                    case ServerAddress.Http plain -> plain;
                    case ServerAddress.Sse(ServerAddress.Http stream) -> stream;
                    case ServerAddress.Stdio _,
                            ServerAddress.Exec _,
                            ServerAddress.Container _,
                            ServerAddress.Pod _ ->
                            null;
                };
        OAuthSettings oauth = http == null ? null : http.oauth();
        if (http == null || oauth == null) {
            throw new IllegalArgumentException("No authorization: " + address);
        }
        try {
            authorizations.authorize(http.endpoint(), oauth, token);
        } catch (OAuthException e) {
            throw e.ofUser();
        }
    }

    private RequestAuthorization authorization(ServerAddress.Http http) {
        OAuthSettings oauth = http.oauth();
        return oauth == null
                ? RequestAuthorization.NONE
                : authorizations.of(http.endpoint(), oauth);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        client.http().close(CloseMode.IMMEDIATE);
        authorizations.close();
    }

    /**
     * Creates a client for all servers. Its sockets are kept alive, because streams can be silent
     * for long.
     */
    public static EndpointClient newClient(
            EndpointResolver resolver, Supplier<Optional<String>> gateway) {
        AddressRotation addresses = new AddressRotation(resolver);
        return new EndpointClient(
                EndpointClients.custom(
                                addresses,
                                gateway,
                                SocketConfig.custom()
                                        .setTcpNoDelay(true)
                                        .setSoKeepAlive(true)
                                        .build())
                        .setRequestExecutor(new EndpointRequestExecutor())
                        .build(),
                addresses);
    }
}

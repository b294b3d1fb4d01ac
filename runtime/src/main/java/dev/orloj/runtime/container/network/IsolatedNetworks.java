package dev.orloj.runtime.container.network;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.Network;

import dev.orloj.runtime.container.engine.EngineConnection;
import dev.orloj.runtime.container.spec.ContainerLabels;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.NetworkAccess;
import dev.orloj.runtime.network.AllowedHosts;
import dev.orloj.runtime.network.EgressProxy;
import dev.orloj.runtime.network.Firewall;
import dev.orloj.runtime.network.FirewallException;
import dev.orloj.runtime.network.Opening;
import dev.orloj.runtime.workload.WorkloadException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.zip.CRC32;

/**
 * Creates a separate network for each server that requires one. The firewall of this host isolates
 * the network; its rules are in place before the network is created. If the rules cannot be set, no
 * network is created and therefore no container is started. Thread-safe.
 *
 * <p>A server with allowed hosts gets a network without external access, and a proxy as its only
 * exit.
 */
public final class IsolatedNetworks implements ContainerNetworks, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(IsolatedNetworks.class);
    private static final int ATTEMPTS = 64;

    private final EngineConnection engine;
    private final EgressProxy.Resolver resolver;
    private final ContainerLabels labels;
    private final String prefix;
    private final Firewall firewall;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Wanted, OwnNetwork> networks = new HashMap<>();

    /** Networks that are no longer required but whose containers are still ending. */
    private final Set<Wanted> abandoned = new HashSet<>();

    private boolean swept = false;

    /** The identity of a network. */
    private record Wanted(ContainerOwner owner, NetworkAccess access) {}

    private record OwnNetwork(String name, String bridge, Optional<EgressProxy> proxy) {

        Attachment attachment(String gateway) {
            return new Attachment(
                    name,
                    proxy.map(p -> ProxyVariables.of("http://" + gateway + ":" + p.port()))
                            .orElse(Map.of()));
        }
    }

    /**
     * @param nameServers name servers that containers may use, regardless of their addresses
     * @param resolver resolves allowed hosts
     */
    public IsolatedNetworks(
            EngineConnection engine,
            ContainerLabels labels,
            Supplier<List<String>> nameServers,
            EgressProxy.Resolver resolver) {
        this.engine = engine;
        this.resolver = resolver;
        this.labels = labels;
        // Interface names have at most 15 characters: six for the replica, eight for the network.
        this.prefix = "o" + hash(labels.replica()).substring(0, 6);
        this.firewall = new Firewall(prefix, nameServers);
    }

    /** Returns the prefix of the names of all bridges of this orlojd. */
    String prefix() {
        return prefix;
    }

    @Override
    public Attachment prepare(ContainerOwner owner, NetworkAccess access)
            throws InterruptedException {
        return switch (access.mode()) {
            case NONE -> new Attachment("none", Map.of());
            case BRIDGE -> new Attachment("bridge", Map.of());
            case ISOLATED -> isolated(new Wanted(owner, access));
        };
    }

    private Attachment isolated(Wanted wanted) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            requireFirewallOfHost(wanted);
            firewall.ensure();
            sweepOnce();
            abandonOthers(wanted);
            OwnNetwork known = networks.get(wanted);
            if (known == null || gateway(known.bridge()).isEmpty()) {
                forget(wanted);
                known = create(wanted);
                networks.put(wanted, known);
            }
            return known.attachment(gateway(known.bridge()).orElse(""));
        } catch (FirewallException e) {
            throw notIsolated(wanted, String.valueOf(e.getMessage()), e);
        } catch (DockerException e) {
            throw notIsolated(wanted, EngineConnection.reason(e), e);
        } catch (IOException e) {
            throw notIsolated(wanted, String.valueOf(e.getMessage()), e);
        } finally {
            lock.unlock();
        }
    }

    private void requireFirewallOfHost(Wanted wanted) {
        if (!engine.isLocal()) {
            throw notIsolated(
                    wanted, "the engine is not on this host, whose firewall would do it", null);
        }
        if (engine.facts().podman()) {
            throw notIsolated(
                    wanted,
                    "Podman makes a network's bridge with its first container, too late for orlojd"
                            + " to see that the firewall holds",
                    null);
        }
    }

    private static WorkloadException notIsolated(
            Wanted wanted, String why, @Nullable Exception cause) {
        return new WorkloadException(
                "No isolated network can be made for server \"%s\": %s; run orlojd beside a Docker engine with the capability CAP_NET_ADMIN, or set network.mode to none, or to bridge where the sandbox policy allows it"
                        .formatted(wanted.owner().server(), why),
                cause);
    }

    private OwnNetwork create(Wanted wanted) throws IOException, InterruptedException {
        ContainerOwner owner = wanted.owner();
        String id = hash(owner.uid() + wanted.access());
        String name = "orloj-%s-%s-%s".formatted(owner.namespace(), owner.server(), id);
        String bridge = prefix + id;
        boolean closed = !wanted.access().allowHosts().isEmpty();
        remove(name);
        createInFreeSubnet(name, bridge, closed, labels.of(owner));
        try {
            InetAddress gateway =
                    InetAddress.ofLiteral(
                            gateway(bridge)
                                    .orElseThrow(
                                            () ->
                                                    new IOException(
                                                            "the network of the engine is not one"
                                                                    + " of this host")));
            Optional<EgressProxy> proxy =
                    closed ? Optional.of(startProxy(wanted, bridge, gateway)) : Optional.empty();
            log.atInfo()
                    .addKeyValue("namespace", owner.namespace())
                    .addKeyValue("name", owner.server())
                    .addKeyValue("network", name)
                    .log("Network made");
            return new OwnNetwork(name, bridge, proxy);
        } catch (IOException | FirewallException | InterruptedException e) {
            remove(name);
            throw e;
        }
    }

    private EgressProxy startProxy(Wanted wanted, String bridge, InetAddress gateway)
            throws IOException, InterruptedException {
        ContainerOwner owner = wanted.owner();
        EgressProxy proxy =
                EgressProxy.start(
                        owner.namespace() + "/" + owner.server(),
                        new AllowedHosts(wanted.access().allowHosts()),
                        gateway,
                        resolver);
        try {
            firewall.open(new Opening(bridge, gateway.getHostAddress(), proxy.port()));
            return proxy;
        } catch (FirewallException | InterruptedException e) {
            proxy.close();
            throw e;
        }
    }

    private void createInFreeSubnet(
            String name, String bridge, boolean closed, Map<String, String> ofOwner)
            throws SocketException {
        List<String> free = Subnets.free(bridge.hashCode());
        for (int attempt = 0; attempt < free.size(); attempt++) {
            String subnet = free.get(attempt);
            try {
                engine.call(
                        "create a network",
                        client ->
                                client.createNetworkCmd()
                                        .withName(name)
                                        .withDriver("bridge")
                                        .withCheckDuplicate(true)
                                        .withInternal(closed)
                                        .withEnableIpv6(false)
                                        .withLabels(ofOwner)
                                        .withIpam(
                                                new Network.Ipam()
                                                        .withConfig(
                                                                new Network.Ipam.Config()
                                                                        .withSubnet(subnet)))
                                        .withOptions(
                                                Map.of(
                                                        "com.docker.network.bridge.name",
                                                        bridge,
                                                        "com.docker.network.bridge.enable_icc",
                                                        "false"))
                                        .exec());
                return;
            } catch (DockerException e) {
                boolean overlap = EngineConnection.reason(e).contains("overlap");
                if (!overlap || attempt >= ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /**
     * Returns the address of this host on a network; empty when the network is not on this host.
     */
    private static Optional<String> gateway(String bridge) throws SocketException {
        NetworkInterface found = NetworkInterface.getByName(bridge);
        return found == null
                ? Optional.empty()
                : found.inetAddresses()
                        .filter(Inet4Address.class::isInstance)
                        .map(InetAddress::getHostAddress)
                        .findFirst();
    }

    @Override
    public void remove(ContainerOwner owner) {
        lock.lock();
        try {
            networks.keySet().stream()
                    .filter(wanted -> wanted.owner().equals(owner))
                    .forEach(abandoned::add);
        } finally {
            lock.unlock();
        }
        removeAbandoned();
    }

    /** Retries the removal of networks that were in use, after a container has ended. */
    public void removeAbandoned() {
        lock.lock();
        try {
            forgetAbandoned();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Removes the networks that an earlier run of this orlojd left behind, once their containers
     * are gone.
     */
    public void sweep() {
        lock.lock();
        try {
            sweepOnce();
        } finally {
            lock.unlock();
        }
    }

    /** Abandons the earlier networks of a server whose network settings have changed. */
    private void abandonOthers(Wanted wanted) throws InterruptedException {
        abandoned.remove(wanted);
        networks.keySet().stream()
                .filter(other -> other.owner().equals(wanted.owner()) && !other.equals(wanted))
                .forEach(abandoned::add);
        forgetAbandoned();
    }

    private void forgetAbandoned() throws InterruptedException {
        for (Wanted wanted : List.copyOf(abandoned)) {
            try {
                forget(wanted);
                abandoned.remove(wanted);
            } catch (DockerException | FirewallException | WorkloadException e) {
                // A container on it is still ending: the network is removed at the next attempt or
                // the next start.
                log.atDebug()
                        .addKeyValue("namespace", wanted.owner().namespace())
                        .addKeyValue("name", wanted.owner().server())
                        .addKeyValue("error", e.getMessage())
                        .log("A network cannot be removed yet");
            }
        }
    }

    private void forget(Wanted wanted) throws InterruptedException {
        OwnNetwork known = networks.get(wanted);
        if (known != null) {
            remove(known.name());
            known.proxy().ifPresent(EgressProxy::close);
            firewall.closeAll(known.bridge());
            networks.remove(wanted);
        }
    }

    private void remove(String name) {
        try {
            engine.run("remove a network", client -> client.removeNetworkCmd(name).exec());
        } catch (NotFoundException e) {
            // This is the expected result.
        }
    }

    /** Removes the networks of an earlier run of this orlojd; their containers are gone by then. */
    private void sweepOnce() {
        if (!swept) {
            List<Network> left =
                    engine.call(
                            "list networks",
                            client ->
                                    client.listNetworksCmd()
                                            .withFilter("label", labelFilter())
                                            .exec());
            left.forEach(
                    network -> engine.run("remove a network", c -> removeIfUnused(c, network)));
            swept = true;
        }
    }

    private List<String> labelFilter() {
        return labels.ofReplica().entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .toList();
    }

    private static void removeIfUnused(DockerClient client, Network network) {
        try {
            client.removeNetworkCmd(network.getId()).exec();
        } catch (DockerException e) {
            // Already removed, or in use by a container that is not swept yet.
        }
    }

    /** Removes all networks and their rules. */
    @Override
    public void close() {
        lock.lock();
        try {
            for (Wanted wanted : List.copyOf(networks.keySet())) {
                forget(wanted);
            }
            abandoned.clear();
            firewall.clear();
        } catch (FirewallException | DockerException | WorkloadException e) {
            log.atWarn()
                    .addKeyValue("error", e.getMessage())
                    .log("Networks could not be removed; the next start does it");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
            firewall.close();
        }
    }

    private static String hash(String text) {
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return "%08x".formatted(crc.getValue());
    }
}

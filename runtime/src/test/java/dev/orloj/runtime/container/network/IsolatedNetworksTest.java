package dev.orloj.runtime.container.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.container.Specs;
import dev.orloj.runtime.container.Surroundings;
import dev.orloj.runtime.container.engine.EngineConnection;
import dev.orloj.runtime.container.spec.ContainerLabels;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.NetworkAccess;
import dev.orloj.runtime.testkit.Docker;
import dev.orloj.runtime.testkit.NeedsDocker;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * Hostile containers that try to reach what they must not. Each attempt is made from the ordinary
 * bridge as well, where it succeeds: so it is the network that keeps it from succeeding.
 */
@NeedsDocker
class IsolatedNetworksTest {

    private static final ContainerOwner MAIL = new ContainerOwner("default", "mail", "uid-1");
    private static final ContainerOwner WEB = new ContainerOwner("default", "web", "uid-2");
    private static final String INTERNET = Surroundings.INTERNET + ":" + Surroundings.PORT;

    /** Says of each address whether something there answers. */
    private static final String KNOCK =
            "const net=require('net');Promise.all(process.argv.slice(1).map(a=>new Promise(r=>{"
                    + "const [h,p]=a.split(':');const s=net.connect({host:h,port:+p});"
                    + "const end=w=>{s.destroy();r(a+' '+w)};s.setTimeout(2000,()=>end('closed'));"
                    + "s.on('data',()=>end('open'));s.on('error',()=>end('closed'))})))"
                    + ".then(l=>console.log(l.join('\\n')))";

    private static Surroundings surroundings;

    private final String replica = "test-" + UUID.randomUUID();
    private final ContainerLabels labels = new ContainerLabels(replica, "run-1");
    private final EngineConnection engine = new EngineConnection("");
    private final IsolatedNetworks networks =
            new IsolatedNetworks(
                    engine,
                    labels,
                    () -> List.of(Surroundings.NAME_SERVER),
                    IsolatedNetworksTest::resolve);
    private final List<String> containers = new ArrayList<>();

    @BeforeAll
    static void build() throws IOException {
        surroundings = Surroundings.build();
    }

    @AfterAll
    static void tearDown() throws IOException {
        surroundings.close();
    }

    @AfterEach
    void close() {
        containers.forEach(container -> Docker.run("rm", "--force", container));
        networks.close();
        engine.close();
        assertThat(networksOf(replica)).isEmpty();
        assertThat(Docker.runProgram(List.of("iptables-save", "-t", "filter")))
                .doesNotContain(networks.prefix());
    }

    private static List<String> networksOf(String replica) {
        return Docker.run(
                        "network",
                        "ls",
                        "--format",
                        "{{.Name}}",
                        "--filter",
                        "label=orloj.dev/replica=" + replica)
                .lines()
                .toList();
    }

    /** Which of the addresses answer to a container on the network. */
    private static List<String> reached(
            ContainerNetworks.Attachment network, List<String> addresses) {
        List<String> command =
                new ArrayList<>(List.of("run", "--rm", "--cap-drop", "ALL", "--user", "65532"));
        command.addAll(List.of("--network", network.name()));
        network.env().forEach((name, value) -> command.addAll(List.of("-e", name + "=" + value)));
        command.addAll(List.of("--entrypoint", "node", Specs.IMAGE, "-e", KNOCK));
        command.addAll(addresses);
        return Docker.run(command.toArray(String[]::new))
                .lines()
                .filter(line -> line.endsWith(" open"))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .toList();
    }

    /** The address of a container on the network that answers every client. */
    private String listenOn(String network) {
        String id =
                Docker.run(
                                "run",
                                "--detach",
                                "--rm",
                                "--network",
                                network,
                                "--entrypoint",
                                "node",
                                Specs.IMAGE,
                                "-e",
                                "require('net').createServer(s=>s.end('here'))"
                                        + ".listen(18080,()=>console.log('listening'))")
                        .strip();
        containers.add(id);
        await().until(() -> Docker.run("logs", id).contains("listening"));
        return Docker.inspect(id, "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}")
                + ":18080";
    }

    private static List<String> at(List<String> machines) {
        return machines.stream().map(machine -> machine + ":" + Surroundings.PORT).toList();
    }

    @Test
    void theInternetIsReachedAndPrivateNetworksAreNot() throws Exception {
        List<String> all = new ArrayList<>(at(Surroundings.NEAR));
        all.add(INTERNET);

        assertThat(reached(networks.prepare(MAIL, NetworkAccess.BRIDGE), all))
                .as("the control")
                .containsExactlyInAnyOrderElementsOf(all);
        assertThat(reached(networks.prepare(MAIL, NetworkAccess.ISOLATED), all))
                .containsExactly(INTERNET);
    }

    @Test
    void nameServersAreReachedAtTheirPortOnly() throws Exception {
        String names = Surroundings.NAME_SERVER + ":" + Surroundings.NAME_SERVER_PORT;
        List<String> all =
                List.of(
                        names,
                        Surroundings.NAME_SERVER + ":" + Surroundings.PORT,
                        "10.213.0.10:" + Surroundings.NAME_SERVER_PORT);

        assertThat(reached(networks.prepare(MAIL, NetworkAccess.BRIDGE), all))
                .as("the control")
                .containsExactlyInAnyOrderElementsOf(all);
        assertThat(reached(networks.prepare(MAIL, NetworkAccess.ISOLATED), all))
                .containsExactly(names);
    }

    @Test
    void thisHostIsNotReachedAtAnyOfItsAddresses() throws Exception {
        ContainerNetworks.Attachment own = networks.prepare(MAIL, NetworkAccess.ISOLATED);
        List<String> host = at(addressesOfThisHost());

        assertThat(reached(networks.prepare(MAIL, NetworkAccess.BRIDGE), host))
                .as("the control")
                .hasSizeGreaterThan(2)
                .containsExactlyInAnyOrderElementsOf(host);
        assertThat(reached(own, host)).isEmpty();
    }

    private static List<String> addressesOfThisHost() throws SocketException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .map(InetAddress::getHostAddress)
                .toList();
    }

    @Test
    void otherServersAreNotReached() throws Exception {
        String onOwnNetwork = listenOn(networks.prepare(WEB, NetworkAccess.ISOLATED).name());
        String onBridge = listenOn("bridge");

        assertThat(reached(networks.prepare(MAIL, NetworkAccess.BRIDGE), List.of(onBridge)))
                .as("the control")
                .containsExactly(onBridge);
        assertThat(
                        reached(
                                networks.prepare(MAIL, NetworkAccess.ISOLATED),
                                List.of(onBridge, onOwnNetwork)))
                .isEmpty();
        assertThat(reached(networks.prepare(MAIL, NetworkAccess.BRIDGE), List.of(onOwnNetwork)))
                .as("from the other side")
                .isEmpty();
    }

    @Test
    void twoContainersOfOneServerDoNotReachEachOther() throws Exception {
        ContainerNetworks.Attachment own = networks.prepare(MAIL, NetworkAccess.ISOLATED);

        assertThat(reached(own, List.of(listenOn(own.name())))).isEmpty();
    }

    @Test
    void withoutANetworkNothingIsReached() throws Exception {
        List<String> all = new ArrayList<>(at(Surroundings.NEAR));
        all.addAll(List.of(INTERNET, "172.17.0.1:18080", listenOn("bridge")));

        assertThat(reached(networks.prepare(MAIL, NetworkAccess.NONE), all)).isEmpty();
    }

    @Test
    void thereIsNoWayByIpv6() throws Exception {
        ContainerNetworks.Attachment own = networks.prepare(MAIL, NetworkAccess.ISOLATED);

        String addresses =
                Docker.run(
                        "run",
                        "--rm",
                        "--network",
                        own.name(),
                        "--entrypoint",
                        "cat",
                        Specs.IMAGE,
                        "/proc/net/if_inet6");

        assertThat(addresses.lines()).noneMatch(line -> line.endsWith(" eth0"));
        assertThat(Docker.runProgram(List.of("ip6tables-save", "-t", "filter")))
                .containsPattern("-A INPUT -i o[0-9a-f]{6}\\+ -j ORLOJ-INPUT-o")
                .containsPattern("-A FORWARD -i o[0-9a-f]{6}\\+ -j ORLOJ-FORWARD-o")
                .containsPattern("-A ORLOJ-FORWARD-o[0-9a-f]{6} -j DROP");
    }

    @Test
    void removedRulesAreThereAgainForTheNextContainer() throws Exception {
        ContainerNetworks.Attachment own = networks.prepare(MAIL, NetworkAccess.ISOLATED);
        List<String> near = at(List.of("10.213.0.10", "172.17.0.1"));
        Docker.runProgram(List.of("iptables", "-w", "-F", "DOCKER-USER"));
        Docker.runProgram(List.of("iptables", "-w", "-A", "DOCKER-USER", "-j", "RETURN"));
        Docker.runProgram(List.of("iptables", "-w", "-I", "INPUT", "-j", "ACCEPT"));
        try {
            assertThat(reached(own, near))
                    .as("the control")
                    .containsExactlyInAnyOrderElementsOf(near);

            assertThat(networks.prepare(MAIL, NetworkAccess.ISOLATED)).isEqualTo(own);

            assertThat(reached(own, near)).isEmpty();
        } finally {
            Docker.runProgram(List.of("iptables", "-w", "-D", "INPUT", "-j", "ACCEPT"));
        }
    }

    @Test
    void allowedHostsAreReachedThroughTheProxyAndNothingElseInAnyWay() throws Exception {
        NetworkAccess access =
                new NetworkAccess(
                        NetworkAccess.Mode.ISOLATED, List.of(INTERNET, "10.213.0.10:18080"));
        ContainerNetworks.Attachment own = networks.prepare(MAIL, access);
        String proxy = own.env().get("HTTP_PROXY").substring("http://".length());
        List<String> direct = new ArrayList<>(at(Surroundings.NEAR));
        direct.add(INTERNET);
        direct.add(proxy.substring(0, proxy.indexOf(':')) + ":18080");

        assertThat(reached(own, direct)).isEmpty();
        assertThat(through(own, proxy, INTERNET)).isEqualTo("HTTP/1.1 200");
        assertThat(through(own, proxy, "203.0.113.10:53")).isEqualTo("HTTP/1.1 403");
        assertThat(through(own, proxy, "10.213.0.10:18080")).isEqualTo("HTTP/1.1 502");
    }

    @Test
    void allowedHostsAreReachedByNameAndOnlyByTheNamesAndPortsThatAreListed() throws Exception {
        NetworkAccess access =
                new NetworkAccess(
                        NetworkAccess.Mode.ISOLATED,
                        List.of(
                                "api.internet.test:18080",
                                "*.wild.internet.test:18080",
                                "trap.near.test:18080"));
        ContainerNetworks.Attachment own = networks.prepare(MAIL, access);
        String proxy = own.env().get("HTTP_PROXY").substring("http://".length());

        assertThat(through(own, proxy, "api.internet.test:18080")).isEqualTo("HTTP/1.1 200");
        assertThat(through(own, proxy, "API.Internet.TEST.:18080")).isEqualTo("HTTP/1.1 200");
        assertThat(through(own, proxy, "a.b.wild.internet.test:18080")).isEqualTo("HTTP/1.1 200");
        assertThat(through(own, proxy, "wild.internet.test:18080")).isEqualTo("HTTP/1.1 403");
        assertThat(through(own, proxy, "api.internet.test:53")).isEqualTo("HTTP/1.1 403");
        assertThat(through(own, proxy, "other.internet.test:18080")).isEqualTo("HTTP/1.1 403");
        assertThat(through(own, proxy, INTERNET)).as("its address").isEqualTo("HTTP/1.1 403");
        assertThat(through(own, proxy, "trap.near.test:18080"))
                .as("a listed name that means a near address")
                .isEqualTo("HTTP/1.1 502");
    }

    /** Names below internet.test mean the machine of the internet, those below near.test a near. */
    private static InetAddress[] resolve(String host) throws UnknownHostException {
        String name = host.toLowerCase(Locale.ROOT);
        if (name.endsWith(".near.test")) {
            return InetAddress.getAllByName(Surroundings.NEAR.getFirst());
        }
        return InetAddress.getAllByName(
                name.replaceFirst("\\.$", "").endsWith(".internet.test")
                        ? Surroundings.INTERNET
                        : host);
    }

    /** How the proxy answers a container that wants a tunnel. */
    private static String through(
            ContainerNetworks.Attachment network, String proxy, String target) {
        String ask =
                "const [h,p]=process.argv[1].split(':');const s=require('net').connect(+p,h);"
                        + "s.setTimeout(5000,()=>s.destroy());"
                        + "s.write('CONNECT '+process.argv[2]+' HTTP/1.1\\r\\n\\r\\n');"
                        + "s.once('data',d=>{console.log(d.toString().slice(0,12));s.destroy()});"
                        + "s.on('error',e=>console.log(e.code))";
        return Docker.run(
                        "run",
                        "--rm",
                        "--network",
                        network.name(),
                        "--entrypoint",
                        "node",
                        Specs.IMAGE,
                        "-e",
                        ask,
                        proxy,
                        target)
                .strip();
    }

    @Test
    void theProxyOfAnotherServerIsNotReached() throws Exception {
        NetworkAccess access = new NetworkAccess(NetworkAccess.Mode.ISOLATED, List.of(INTERNET));
        ContainerNetworks.Attachment other = networks.prepare(WEB, access);
        String proxy = other.env().get("HTTP_PROXY").substring("http://".length());

        assertThat(through(networks.prepare(MAIL, NetworkAccess.ISOLATED), proxy, INTERNET))
                .isNotEqualTo("HTTP/1.1 200");
        assertThat(through(other, proxy, INTERNET)).as("the control").isEqualTo("HTTP/1.1 200");
    }

    @Test
    void aNetworkGoesWithItsServerOnceItsContainersHaveEnded() throws Exception {
        ContainerNetworks.Attachment own = networks.prepare(MAIL, NetworkAccess.ISOLATED);
        listenOn(own.name());

        networks.remove(MAIL);
        assertThat(networksOf(replica)).containsExactly(own.name());

        Docker.run("rm", "--force", containers.removeLast());
        networks.remove(MAIL);
        assertThat(networksOf(replica)).isEmpty();
    }

    @Test
    void whatADeadRunHasLeftIsRemovedByTheNext() throws Exception {
        Docker.run(
                "network",
                "create",
                "--label",
                "orloj.dev/managed=true",
                "--label",
                "orloj.dev/replica=" + replica,
                "orloj-left-behind-" + replica);

        ContainerNetworks.Attachment own = networks.prepare(MAIL, NetworkAccess.ISOLATED);

        assertThat(networksOf(replica)).containsExactly(own.name());
    }

    @Test
    void anOtherNetworkOfAServerTakesThePlaceOfTheFirst() throws Exception {
        networks.prepare(MAIL, NetworkAccess.ISOLATED);
        ContainerNetworks.Attachment closed =
                networks.prepare(
                        MAIL,
                        new NetworkAccess(NetworkAccess.Mode.ISOLATED, List.of("a.example.com")));
        assertThat(closed.env()).containsKeys("HTTPS_PROXY", "https_proxy");

        assertThat(networksOf(replica)).containsExactly(closed.name());
        assertThat(networks.prepare(MAIL, NetworkAccess.BRIDGE).env()).isEqualTo(Map.of());
    }
}

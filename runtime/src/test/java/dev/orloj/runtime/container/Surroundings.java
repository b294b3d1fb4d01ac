package dev.orloj.runtime.container;

import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.Docker;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Machines around this one, played by a network namespace: one of the internet, and others of
 * private networks. Each listens on port {@value #PORT}, and so does this host; all of them say who
 * they are. Needs root, as do the networks under test.
 */
public final class Surroundings implements AutoCloseable {

    public static final int PORT = 18_080;
    public static final int NAME_SERVER_PORT = 53;

    /** Of the range for documentation, which no host has: to the firewall it is any other. */
    public static final String INTERNET = "203.0.113.10";

    public static final String NAME_SERVER = "10.213.0.53";
    public static final List<String> NEAR =
            List.of(
                    "10.213.0.10",
                    "100.64.213.10",
                    "172.31.213.10",
                    "192.168.213.10",
                    "198.18.213.10",
                    "169.254.169.254");

    private static final String NAMESPACE = "orloj-test";
    private static final String LISTENER =
            "const net=require('net');for(const p of [18080,53])"
                    + " net.createServer(s=>s.end('here')).listen(p,'0.0.0.0')";

    private final Process listener;
    private final ServerSocket host;

    private Surroundings(Process listener, ServerSocket host) {
        this.listener = listener;
        this.host = host;
    }

    public static Surroundings build() throws IOException {
        remove();
        ip("netns", "add", NAMESPACE);
        ip("link", "add", "orlojt0", "type", "veth", "peer", "name", "orlojt1");
        ip("link", "set", "orlojt1", "netns", NAMESPACE);
        ip("addr", "add", "203.0.113.1/24", "dev", "orlojt0");
        ip("link", "set", "orlojt0", "up");
        inside("addr", "add", INTERNET + "/24", "dev", "orlojt1");
        inside("link", "set", "orlojt1", "up");
        inside("link", "set", "lo", "up");
        inside("route", "add", "default", "via", "203.0.113.1");
        List<String> machines = new ArrayList<>(NEAR);
        machines.add(NAME_SERVER);
        for (String machine : machines) {
            inside("addr", "add", machine + "/32", "dev", "orlojt1");
            ip("route", "add", machine + "/32", "via", INTERNET, "dev", "orlojt0");
        }
        Process listener =
                new ProcessBuilder("ip", "netns", "exec", NAMESPACE, "node", "-e", LISTENER)
                        .inheritIO()
                        .start();
        ServerSocket host = new ServerSocket(PORT);
        Thread.ofPlatform().daemon().start(() -> greet(host));
        await().atMost(Duration.ofSeconds(10)).until(() -> reachable(INTERNET));
        return new Surroundings(listener, host);
    }

    private static void greet(ServerSocket host) {
        while (!host.isClosed()) {
            try (Socket client = host.accept()) {
                client.getOutputStream().write("here".getBytes());
            } catch (IOException e) {
                // The next one, or the end.
            }
        }
    }

    private static boolean reachable(String address) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, PORT), 500);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void ip(String... arguments) {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        Docker.runProgram(command);
    }

    private static void inside(String... arguments) {
        List<String> command = new ArrayList<>(List.of("-n", NAMESPACE));
        command.addAll(List.of(arguments));
        ip(command.toArray(String[]::new));
    }

    /**
     * Also what a run that was killed has left, whose listener keeps the namespace alive. The link
     * first: it would go with the namespace, but later.
     */
    private static void remove() {
        if (Docker.runProgram(List.of("ip", "link")).contains("orlojt0@")) {
            ip("link", "del", "orlojt0");
        }
        if (Docker.runProgram(List.of("ip", "netns", "list")).contains(NAMESPACE)) {
            ip("netns", "del", NAMESPACE);
        }
    }

    @Override
    public void close() throws IOException {
        host.close();
        listener.descendants().forEach(ProcessHandle::destroyForcibly);
        listener.destroyForcibly();
        listener.onExit().join();
        remove();
    }
}

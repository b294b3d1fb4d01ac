package dev.orloj.runtime.testkit;

import com.github.dockerjava.core.DefaultDockerClientConfig;
import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * The engine of this machine at another socket, whose connections a test can break: for who asks
 * there the engine is gone, while the command line still reaches it.
 */
public final class EngineProxy implements AutoCloseable {

    private final Path engine = socketOfEngine();
    private final Path folder;
    private final ServerSocketChannel server;

    @GuardedBy("this")
    private final Set<SocketChannel> open = new HashSet<>();

    @GuardedBy("this")
    private boolean cut = false;

    public EngineProxy() {
        try {
            folder = Files.createTempDirectory("orloj-engine");
            server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(folder.resolve("docker.sock")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofPlatform().daemon().name("engine-proxy").start(this::accept);
    }

    /** As {@code --container-host} takes it. */
    public String host() {
        return "unix://" + folder.resolve("docker.sock");
    }

    /** From now on the engine is gone. */
    public synchronized void cut() {
        cut = true;
        open.forEach(EngineProxy::closeQuietly);
        open.clear();
    }

    /** The engine is back. */
    public synchronized void restore() {
        cut = false;
    }

    /** Notes a connection, unless it was made too late to be among those that a test has cut. */
    private synchronized boolean admits(SocketChannel client, SocketChannel upstream) {
        if (!cut) {
            open.add(client);
            open.add(upstream);
        }
        return !cut;
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
        Files.deleteIfExists(folder.resolve("docker.sock"));
        Files.deleteIfExists(folder);
    }

    private void accept() {
        while (server.isOpen()) {
            try {
                SocketChannel client = server.accept();
                SocketChannel upstream = SocketChannel.open(UnixDomainSocketAddress.of(engine));
                if (admits(client, upstream)) {
                    pump(client, upstream);
                    pump(upstream, client);
                } else {
                    closeQuietly(client);
                    closeQuietly(upstream);
                }
            } catch (IOException e) {
                // The proxy is closed, or a client went away.
            }
        }
    }

    private void pump(SocketChannel from, SocketChannel to) {
        Thread.ofPlatform()
                .daemon()
                .name("engine-proxy-pump")
                .start(
                        () -> {
                            try {
                                copy(from, to);
                                to.shutdownOutput();
                            } catch (IOException e) {
                                closeQuietly(from);
                                closeQuietly(to);
                            }
                        });
    }

    private static void copy(ReadableByteChannel from, WritableByteChannel to) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(64 * 1024);
        while (from.read(buffer) >= 0) {
            buffer.flip();
            while (buffer.hasRemaining()) {
                to.write(buffer);
            }
            buffer.clear();
        }
    }

    private static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // It is of no use any more.
        }
    }

    private static Path socketOfEngine() {
        return Path.of(
                DefaultDockerClientConfig.createDefaultConfigBuilder()
                        .build()
                        .getDockerHost()
                        .getPath());
    }
}

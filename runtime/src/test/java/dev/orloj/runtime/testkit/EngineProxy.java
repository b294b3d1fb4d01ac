package dev.orloj.runtime.testkit;

import com.github.dockerjava.core.DefaultDockerClientConfig;

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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The engine of this machine at another socket, whose connections a test can break: for who asks
 * there the engine is gone, while the command line still reaches it.
 */
public final class EngineProxy implements AutoCloseable {

    private final Path engine = socketOfEngine();
    private final Path folder;
    private final ServerSocketChannel server;
    private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
    private volatile boolean cut = false;

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
    public void cut() {
        cut = true;
        open.forEach(EngineProxy::closeQuietly);
    }

    /** The engine is back. */
    public void restore() {
        cut = false;
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
                if (cut) {
                    client.close();
                } else {
                    SocketChannel upstream = SocketChannel.open(UnixDomainSocketAddress.of(engine));
                    open.add(client);
                    open.add(upstream);
                    pump(client, upstream);
                    pump(upstream, client);
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

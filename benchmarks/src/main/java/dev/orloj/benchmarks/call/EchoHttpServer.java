package dev.orloj.benchmarks.call;

import dev.orloj.benchmarks.suite.MeasuredProcess;
import dev.orloj.benchmarks.suite.Workplace;

import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The echo over Streamable HTTP, of which it knows what a client needs that asks one thing at a
 * time on each connection: no sessions, no streams, bodies of an announced length. A thread for
 * each connection.
 */
public final class EchoHttpServer {

    private static final Pattern READY = Pattern.compile("echo is ready url=(http://[\\w.:/]+)");
    private static final String LENGTH = "content-length:";

    private EchoHttpServer() {}

    /** Starts it in a JVM of its own; its URL is what it says when it is ready. */
    static MeasuredProcess start(Workplace workplace) throws IOException, InterruptedException {
        return MeasuredProcess.start(
                MeasuredProcess.command(
                        workplace.jvmFlags(), EchoHttpServer.class.getName(), List.of()),
                Map.of(),
                workplace.folder(),
                READY);
    }

    /** Serves until its input ends, as it does with the driver. */
    public static void main(String[] args) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            Thread.ofPlatform().daemon().name("echo-accept").start(() -> accept(server));
            System.out.println(
                    "echo is ready url=http://127.0.0.1:" + server.getLocalPort() + "/mcp");
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }

    private static void accept(ServerSocket server) {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread.ofPlatform().daemon().name("echo").start(() -> serve(socket));
            }
        } catch (IOException e) {
            // The server was closed.
        }
    }

    private static void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            for (String request = line(in); request != null; request = line(in)) {
                out.write(answer(request, body(in)));
            }
        } catch (IOException e) {
            // The client is gone, and the connection with it.
        }
    }

    private static byte[] answer(String request, byte[] body) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        String status = "200 OK";
        if (request.startsWith("POST ")) {
            EchoAnswers.write(new JsonSlice(body, 0, body.length), content);
            status = content.size() == 0 ? "202 Accepted" : status;
        } else if (request.startsWith("GET ")) {
            status = "405 Method Not Allowed";
        }
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        String head =
                "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                        .formatted(status, content.size());
        answer.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        answer.writeBytes(content.toByteArray());
        return answer.toByteArray();
    }

    /** Reads the headers, and what they say that follows. */
    private static byte[] body(InputStream in) throws IOException {
        int length = 0;
        for (String line = line(in); line != null && !line.isEmpty(); line = line(in)) {
            if (line.regionMatches(true, 0, LENGTH, 0, LENGTH.length())) {
                length = Integer.parseInt(line.substring(LENGTH.length()).strip());
            }
        }
        return in.readNBytes(length);
    }

    /** The next line; null at the end of the connection. */
    private static @Nullable String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        int next = in.read();
        if (next < 0) {
            return null;
        }
        while (next >= 0 && next != '\n') {
            if (next != '\r') {
                line.append((char) next);
            }
            next = in.read();
        }
        return line.toString();
    }
}

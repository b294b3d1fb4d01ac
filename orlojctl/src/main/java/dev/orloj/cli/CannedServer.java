package dev.orloj.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Serves the same few resources for every request, on a port of this machine. */
final class CannedServer implements AutoCloseable {

    private static final String RESOURCE =
            """
            {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
             "metadata": {"name": "sample", "namespace": "default", "uid": "1",
              "resourceVersion": "1", "generation": 1, "labels": {"a": "b"},
              "creationTimestamp": "2026-01-01T00:00:00Z"},
             "spec": {"transport": "stdio", "command": "npx", "args": ["-y", "sample"]},
             "status": {"phase": "Ready", "conditions": [{"type": "Ready", "status": "True",
              "reason": "Synced", "message": "", "observedGeneration": 1,
              "lastTransitionTime": "2026-01-01T00:00:00Z"}]},
             "gitVersion": "v0", "content": [{"type": "text", "text": "hello"}]}
            """;

    private static final String LIST =
            """
            {"apiVersion": "orloj.dev/v1", "kind": "McpServerList",
             "metadata": {"resourceVersion": "1"}, "items": [%s]}
            """
                    .formatted(RESOURCE);

    private static final String TABLE =
            """
            {"kind": "Table", "apiVersion": "meta.k8s.io/v1", "metadata": {"resourceVersion": "1"},
             "columnDefinitions": [{"name": "Name", "type": "string", "priority": 0},
              {"name": "Tools", "type": "integer", "priority": 1}],
             "rows": [{"cells": ["sample", 3], "object": {"kind": "PartialObjectMetadata",
              "metadata": {"name": "sample", "namespace": "default", "generation": 1,
               "labels": {"a": "b"}, "managedFields": [{"manager": "orlojctl"}]}}},
              {"cells": ["a \\"sample\\"", null]}]}
            """;

    private static final String NOT_FOUND =
            """
            {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
             "message": "mcpservers.orloj.dev \\"missing\\" not found", "reason": "NotFound",
             "details": {"name": "missing", "group": "orloj.dev", "kind": "mcpservers"},
             "code": 404}
            """;

    private final ServerSocket socket;

    private CannedServer(ServerSocket socket) {
        this.socket = socket;
    }

    static CannedServer start() throws IOException {
        CannedServer server =
                new CannedServer(new ServerSocket(0, 10, InetAddress.getLoopbackAddress()));
        Thread.ofPlatform().daemon().name("canned-server").start(server::serve);
        return server;
    }

    String url() {
        return "http://127.0.0.1:" + socket.getLocalPort();
    }

    private void serve() {
        try {
            while (true) {
                try (Socket client = socket.accept()) {
                    answer(client);
                }
            }
        } catch (IOException e) {
            // closed: the rehearsal is over
        }
    }

    private static void answer(Socket client) throws IOException {
        BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
        String start = String.valueOf(in.readLine());
        boolean asTable = false;
        long length = 0;
        String header = in.readLine();
        while (header != null && !header.isEmpty()) {
            asTable |= header.contains("as=Table");
            if (header.startsWith("Content-Length: ")) {
                length = Long.parseLong(header.substring("Content-Length: ".length()));
            }
            header = in.readLine();
        }
        in.skip(length);
        boolean isCollection = start.contains("limit=500");
        boolean isMissing = start.contains("/missing");
        byte[] body =
                (isMissing ? NOT_FOUND : asTable ? TABLE : isCollection ? LIST : RESOURCE)
                        .replace("\n", "")
                        .getBytes(StandardCharsets.UTF_8);
        String head =
                "HTTP/1.1 "
                        + (isMissing ? "404 Not Found" : "200 OK")
                        + "\r\nContent-Type: application/json\r\nConnection: close\r\n"
                        + "Content-Length: "
                        + body.length
                        + "\r\n\r\n";
        OutputStream out = client.getOutputStream();
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.write(body);
        out.flush();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

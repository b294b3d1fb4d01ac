package dev.orloj.benchmarks.call;

import dev.orloj.api.codec.Json;

import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicLong;

/** An MCP server over HTTP, asked with a pooled client in the thread that wants to know. */
final class HttpEchoClient implements EchoClient {

    private static final int CONNECTIONS = 100;

    private final URI server;
    private final AtomicLong lastId = new AtomicLong();
    private final CloseableHttpClient client =
            HttpClients.custom()
                    .setConnectionManager(
                            PoolingHttpClientConnectionManagerBuilder.create()
                                    .setMaxConnTotal(CONNECTIONS)
                                    .setMaxConnPerRoute(CONNECTIONS)
                                    .build())
                    .disableContentCompression()
                    .build();

    HttpEchoClient(URI server) {
        this.server = server;
    }

    @Override
    public JsonNode call(String tool, JsonNode arguments) throws IOException {
        ObjectNode request = Json.MAPPER.createObjectNode();
        request.put("jsonrpc", "2.0").put("id", lastId.incrementAndGet());
        request.put("method", "tools/call");
        request.putObject("params").put("name", tool).set("arguments", arguments);
        HttpPost post = new HttpPost(server);
        post.addHeader("Accept", "application/json, text/event-stream");
        post.setEntity(
                new ByteArrayEntity(
                        Json.MAPPER.writeValueAsBytes(request), ContentType.APPLICATION_JSON));
        byte[] answer =
                client.execute(post, response -> EntityUtils.toByteArray(response.getEntity()));
        return Json.MAPPER.readTree(answer).path("result");
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}

package dev.orloj.benchmarks.micro;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;

/** JSON-RPC messages to bytes and back, beside Jackson's trees alone. */
@State(Scope.Benchmark)
public class MessageCoding {

    private final byte[] answer =
            """
            {"jsonrpc":"2.0","id":4711,"result":{"content":[{"type":"text","text":"hello"}],\
            "isError":false}}\
            """
                    .getBytes(StandardCharsets.UTF_8);
    private final JsonNode request =
            Json.MAPPER.readTree(
                    """
                    {"jsonrpc":"2.0","id":4711,"method":"tools/call",\
                    "params":{"name":"echo","arguments":{"message":"hello"}}}\
                    """);
    private final JsonRpcMessage message =
            new JsonRpcMessage.Request(request.path("id"), "tools/call", request.path("params"));

    @Benchmark
    public JsonRpcCodec.Decoded decode() {
        return JsonRpcCodec.decode(answer, 0, answer.length);
    }

    @Benchmark
    public JsonNode decodeBaseline() {
        return Json.MAPPER.readTree(answer, 0, answer.length);
    }

    @Benchmark
    public byte[] encode() {
        return JsonRpcCodec.encode(message);
    }

    @Benchmark
    public byte[] encodeBaseline() {
        return Json.MAPPER.writeValueAsBytes(request);
    }
}

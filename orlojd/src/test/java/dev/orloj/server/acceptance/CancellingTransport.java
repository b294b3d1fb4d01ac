package dev.orloj.server.acceptance;

import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;

import reactor.core.publisher.Mono;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/** A transport of the Java SDK that can do what its client cannot: cancel a request. */
final class CancellingTransport implements McpClientTransport {

    private final McpClientTransport transport;
    private volatile Object lastId = "";

    CancellingTransport(McpClientTransport transport) {
        this.transport = transport;
    }

    void cancelLastRequest() {
        transport
                .sendMessage(
                        new JSONRPCNotification(
                                "notifications/cancelled", Map.of("requestId", lastId)))
                .block(Duration.ofSeconds(10));
    }

    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
        if (message instanceof JSONRPCRequest request) {
            lastId = Objects.requireNonNull(request.id());
        }
        return transport.sendMessage(message);
    }

    @Override
    public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        return transport.connect(handler);
    }

    @Override
    public void setExceptionHandler(Consumer<Throwable> handler) {
        transport.setExceptionHandler(handler);
    }

    @Override
    public Mono<Void> closeGracefully() {
        return transport.closeGracefully();
    }

    @Override
    public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
        return transport.unmarshalFrom(data, type);
    }

    @Override
    public List<String> protocolVersions() {
        return transport.protocolVersions();
    }
}

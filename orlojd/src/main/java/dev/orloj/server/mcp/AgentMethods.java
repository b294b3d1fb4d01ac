package dev.orloj.server.mcp;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.session.ProgressListener;

import tools.jackson.databind.node.ObjectNode;

/** Every method that agents may call, in whatever revision they do. Thread-safe. */
final class AgentMethods {

    private final Introductions introductions;
    private final ToolMethods tools;

    AgentMethods(Introductions introductions, ToolMethods tools) {
        this.introductions = introductions;
        this.tools = tools;
    }

    /**
     * @throws ProtocolError when the answer is an error
     * @throws InterruptedException when nobody waits for the answer any more
     */
    ObjectNode answer(AgentRequest request, ProgressListener progress) throws InterruptedException {
        return request.revision().isStateless()
                ? completed(request, stateless(request, progress))
                : inSession(request, progress);
    }

    private ObjectNode inSession(AgentRequest request, ProgressListener progress)
            throws InterruptedException {
        return switch (request.method()) {
            case "ping" -> Json.MAPPER.createObjectNode();
            default -> common(request, progress);
        };
    }

    private ObjectNode stateless(AgentRequest request, ProgressListener progress)
            throws InterruptedException {
        return switch (request.method()) {
            case "server/discover" -> introductions.discover(request.scope());
            default -> common(request, progress);
        };
    }

    private ObjectNode common(AgentRequest request, ProgressListener progress)
            throws InterruptedException {
        return switch (request.method()) {
            case "tools/list" -> tools.list(request);
            case "tools/call" -> tools.call(request, progress);
            default -> throw ProtocolError.methodNotFound(request.method());
        };
    }

    /** A result of revision 2026-07-28 says of what kind it is, and whose it is. */
    private ObjectNode completed(AgentRequest request, ObjectNode result) {
        if (result.has("resultType")) {
            return result;
        }
        ObjectNode complete = Json.MAPPER.createObjectNode().put("resultType", "complete");
        complete.setAll(result);
        if (!request.method().equals("tools/call")) {
            complete.withObjectProperty(ReservedMeta.MEMBER)
                    .set(ReservedMeta.SERVER_INFO, introductions.serverInfo(request.scope()));
        }
        return complete;
    }
}

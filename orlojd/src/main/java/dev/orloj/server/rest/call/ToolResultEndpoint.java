package dev.orloj.server.rest.call;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.Status;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.Tool;
import dev.orloj.runtime.result.KeptResults;
import dev.orloj.runtime.result.TextPage;
import dev.orloj.server.authentication.AuthenticationGuard;
import dev.orloj.server.rest.http.MediaTypes;
import dev.orloj.server.rest.http.QueryParameters;
import dev.orloj.server.rest.http.Responses;
import dev.orloj.server.rest.request.ApiPath;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;

/** Serves results that were too long for their call: whole, or as pages of their text. */
@RestController
class ToolResultEndpoint {

    private static final int USUAL_PAGE = 64 * 1024;
    private static final int LARGEST_PAGE = 1024 * 1024;

    private final KeptResults results;

    ToolResultEndpoint(KeptResults results) {
        this.results = results;
    }

    @GetMapping("/apis/orloj.dev/v1/namespaces/{namespace}/tools/{name}/results/{id}")
    void result(HttpServletRequest request, HttpServletResponse response) throws IOException {
        ApiPath path = ApiPath.of(request).orElseThrow();
        ResourceKey tool = new ResourceKey(path.namespace(), path.name());
        String id = path.rest().getLast();
        String user = AuthenticationGuard.userName(request);
        QueryParameters query = QueryParameters.parse(request.getQueryString());
        if (query.has("offset") || query.has("limit")) {
            int offset = query.number("offset").orElse(0);
            int limit = Math.min(query.number("limit").orElse(USUAL_PAGE), LARGEST_PAGE);
            TextPage page =
                    results.findText(tool, id, user, offset, limit)
                            .orElseThrow(() -> gone(tool, id));
            Responses.json(response, 200, page(page));
        } else {
            byte[] whole = results.find(tool, id, user).orElseThrow(() -> gone(tool, id));
            Responses.bytes(response, 200, MediaTypes.JSON, whole);
        }
    }

    private static ObjectNode page(TextPage page) {
        ObjectNode answer = Json.MAPPER.createObjectNode();
        answer.put("kind", "ToolResultText").put("apiVersion", Tool.KIND.apiVersion());
        answer.put("offset", page.offset()).put("bytes", page.bytes());
        page.next().ifPresent(next -> answer.put("next", next));
        return answer.put("text", page.text());
    }

    private ApiException gone(ResourceKey tool, String id) {
        return new ApiException(
                ErrorReason.NOT_FOUND,
                "result \"%s\" of tool \"%s\" is not kept: this replica keeps results for %d minutes after their call, and fewer when there are many; call the tool again"
                        .formatted(id, tool, results.time().toMinutes()),
                Status.Details.of(Tool.KIND.group(), Tool.KIND.plural(), tool.name()));
    }
}

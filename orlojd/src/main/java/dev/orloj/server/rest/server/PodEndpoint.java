package dev.orloj.server.rest.server;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.Pod;
import dev.orloj.api.v1.Tool;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.workload.LogBuffer;
import dev.orloj.server.discovery.ApiResource;
import dev.orloj.server.registry.ResourceRegistry;
import dev.orloj.server.rest.http.QueryParameters;
import dev.orloj.server.rest.request.ApiPath;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Serves the subresources of a Pod. Pods stand for the processes of MCP servers here: they have a
 * log, and no exec or attach.
 */
@RestController
public class PodEndpoint {

    private static final String POD = "/api/v1/namespaces/{namespace}/pods/{name}";

    /** As discovery lists it. */
    public static final ApiResource.Subresource LOG =
            new ApiResource.Subresource("log", "", "v1", "Pod", List.of("get"));

    private final ResourceRegistry registry;
    private final SessionManager sessions;
    private final LogStreams logs;
    private final ObjectProvider<LocalReplica> replica;
    private final InstantSource clock;

    PodEndpoint(
            ResourceRegistry registry,
            SessionManager sessions,
            LogStreams logs,
            ObjectProvider<LocalReplica> replica,
            InstantSource clock) {
        this.registry = registry;
        this.sessions = sessions;
        this.logs = logs;
        this.replica = replica;
        this.clock = clock;
    }

    @GetMapping(POD + "/log")
    void log(HttpServletRequest request, HttpServletResponse response) throws IOException {
        LogParameters parameters =
                LogParameters.of(QueryParameters.parse(request.getQueryString()), clock.instant());
        ResourceKey key = key(request);
        ObjectNode pod = registry.get(Pod.DESCRIPTOR, key);
        requireContainer(pod, key.name(), parameters.container());
        requireLocal(pod, key.name());
        String server = label(pod, Tool.SERVER_LABEL);
        LogBuffer log = sessions.log(new ResourceKey(key.namespace(), server));
        if (parameters.previous() && log.previous().isEmpty()) {
            throw ApiException.badRequest(
                    "previous terminated container in pod \"%s\" not found: its process was not"
                                    .formatted(key.name())
                            + " restarted");
        }
        logs.send(log, parameters, request, response);
    }

    @RequestMapping({POD + "/exec", POD + "/attach", POD + "/portforward"})
    void enter(HttpServletRequest request) {
        registry.get(Pod.DESCRIPTOR, key(request));
        throw ApiException.badRequest(
                "a pod of orlojd stands for a process of an MCP server: it has a log, but cannot"
                        + " be entered, attached to or connected with");
    }

    private static ResourceKey key(HttpServletRequest request) {
        return ApiPath.of(request)
                .map(path -> new ResourceKey(path.namespace(), path.name()))
                .orElseThrow();
    }

    private static String label(ObjectNode pod, String name) {
        return pod.path("metadata").path("labels").path(name).asString("");
    }

    private static void requireContainer(ObjectNode pod, String name, String container) {
        List<String> known = new ArrayList<>();
        for (JsonNode one : pod.at("/spec/containers")) {
            known.add(one.path("name").asString(""));
        }
        if (!container.isEmpty() && !known.contains(container)) {
            throw ApiException.badRequest(
                    "container %s is not valid for pod %s: there is only %s"
                            .formatted(container, name, String.join(", ", known)));
        }
    }

    /** The log is on the replica of the process. */
    private void requireLocal(ObjectNode pod, String name) {
        String owner = label(pod, Pod.REPLICA_LABEL);
        LocalReplica local = replica.getIfAvailable();
        if (!owner.isEmpty() && local != null && !local.name().equals(owner)) {
            throw new ApiException(
                    ErrorReason.BAD_GATEWAY,
                    "the log of pod \"%s\" is kept by the replica \"%s\" of orlojd, and this is \"%s\":"
                                    .formatted(name, owner, local.name())
                            + " ask that one");
        }
    }
}

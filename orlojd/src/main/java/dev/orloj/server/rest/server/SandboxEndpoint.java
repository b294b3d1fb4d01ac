package dev.orloj.server.rest.server;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.controllers.sandbox.SandboxReconciler;
import dev.orloj.runtime.container.ContainerEngine;
import dev.orloj.server.registry.ResourceRegistry;
import dev.orloj.server.rest.http.QueryParameters;
import dev.orloj.server.rest.request.ApiPath;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import java.io.IOException;
import java.time.InstantSource;

/** Serves the log of a Sandbox's main program on this replica. */
@RestController
class SandboxEndpoint {

    private static final String SANDBOX =
            "/apis/orloj.dev/v1/namespaces/{namespace}/sandboxes/{name}";

    private final ResourceRegistry registry;
    private final ContainerEngine containers;
    private final LogStreams logs;
    private final InstantSource clock;

    SandboxEndpoint(
            ResourceRegistry registry,
            ContainerEngine containers,
            LogStreams logs,
            InstantSource clock) {
        this.registry = registry;
        this.containers = containers;
        this.logs = logs;
        this.clock = clock;
    }

    @GetMapping(SANDBOX + "/log")
    void log(HttpServletRequest request, HttpServletResponse response) throws IOException {
        LogParameters parameters =
                LogParameters.of(QueryParameters.parse(request.getQueryString()), clock.instant());
        logs.send(
                containers.shared().log(SandboxReconciler.owner(existing(request))),
                parameters,
                request,
                response);
    }

    private Sandbox existing(HttpServletRequest request) {
        ResourceKey key =
                ApiPath.of(request)
                        .map(path -> new ResourceKey(path.namespace(), path.name()))
                        .orElseThrow();
        return ResourceCodec.fromDocument(Sandbox.KIND, registry.get(Sandbox.DESCRIPTOR, key));
    }
}

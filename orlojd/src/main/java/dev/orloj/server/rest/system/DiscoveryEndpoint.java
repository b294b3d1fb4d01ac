package dev.orloj.server.rest.system;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Kind;
import dev.orloj.api.core.Pod;
import dev.orloj.api.core.ServiceAccount;
import dev.orloj.server.discovery.ApiResource;
import dev.orloj.server.discovery.DiscoveryDocuments;
import dev.orloj.server.rest.call.CallEndpoint;
import dev.orloj.server.rest.http.CacheableDocument;
import dev.orloj.server.rest.http.MediaTypes;
import dev.orloj.server.rest.request.ServedKinds;
import dev.orloj.server.rest.review.ServerReviewEndpoint;
import dev.orloj.server.rest.server.PodEndpoint;
import dev.orloj.server.rest.token.TokenRequestEndpoint;
import dev.orloj.server.rest.token.TokenReviewEndpoint;
import dev.orloj.server.rest.token.UserTokenEndpoint;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Serves discovery: aggregated, or level by level for older clients. */
@RestController
class DiscoveryEndpoint {

    private static final String AGGREGATED =
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

    private static final Map<Kind<?>, ApiResource.Subresource> BELOW =
            Map.of(
                    Pod.KIND, PodEndpoint.LOG,
                    ServiceAccount.KIND, TokenRequestEndpoint.SUBRESOURCE);

    private final DiscoveryDocuments documents;
    private final CacheableDocument aggregatedCore;
    private final CacheableDocument aggregatedGroups;
    private final CacheableDocument coreVersions;
    private final CacheableDocument groupList;

    DiscoveryEndpoint(ServedKinds kinds) {
        this.documents = new DiscoveryDocuments(kinds.scheme(), BELOW, unstored());
        this.aggregatedCore = CacheableDocument.json(AGGREGATED, documents.aggregated(List.of("")));
        this.aggregatedGroups =
                CacheableDocument.json(AGGREGATED, documents.aggregated(documents.groups()));
        this.coreVersions = CacheableDocument.json(DiscoveryDocuments.coreVersions());
        this.groupList = CacheableDocument.json(documents.groupList());
    }

    private static List<ApiResource> unstored() {
        return Stream.concat(
                        ReviewKind.RESOURCES.stream(),
                        Stream.of(
                                TokenReviewEndpoint.RESOURCE,
                                CallEndpoint.RESOURCE,
                                ServerReviewEndpoint.RESOURCE,
                                UserTokenEndpoint.RESOURCE))
                .toList();
    }

    @GetMapping("/api")
    void core(HttpServletRequest request, HttpServletResponse response) throws IOException {
        negotiate(request, aggregatedCore, coreVersions).send(request, response);
    }

    @GetMapping("/apis")
    void groups(HttpServletRequest request, HttpServletResponse response) throws IOException {
        negotiate(request, aggregatedGroups, groupList).send(request, response);
    }

    @GetMapping("/apis/{group}")
    void group(@PathVariable String group, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (!documents.groups().contains(group)) {
            throw unknown();
        }
        CacheableDocument.json(documents.group(group)).send(request, response);
    }

    @GetMapping("/api/v1")
    void coreResources(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        sendResources("", "v1", request, response);
    }

    @GetMapping("/apis/{group}/{version}")
    void resources(
            @PathVariable String group,
            @PathVariable String version,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        sendResources(group, version, request, response);
    }

    private void sendResources(
            String group, String version, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        ObjectNode list = documents.resourceList(group, version);
        if (list.path("resources").isEmpty()) {
            throw unknown();
        }
        CacheableDocument.json(list).send(request, response);
    }

    private static CacheableDocument negotiate(
            HttpServletRequest request, CacheableDocument aggregated, CacheableDocument legacy) {
        for (MediaTypes.MediaType type : MediaTypes.accepted(request.getHeader("Accept"))) {
            // Further parameters, such as profile=nopeer, request something that is not supported
            // here.
            if (type.isTransform("APIGroupDiscoveryList", "apidiscovery.k8s.io", "v2")
                    && type.parameter("profile").isEmpty()) {
                return aggregated;
            }
            if (type.isJson() && !type.isTransform()) {
                return legacy;
            }
        }
        throw MediaTypes.notAcceptable(MediaTypes.JSON);
    }

    private static ApiException unknown() {
        return new ApiException(
                ErrorReason.NOT_FOUND, "the server could not find the requested resource");
    }
}

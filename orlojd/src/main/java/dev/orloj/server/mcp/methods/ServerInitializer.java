package dev.orloj.server.mcp.methods;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.controllers.CatalogFreshness;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.client.ClientCapabilities;
import dev.orloj.runtime.client.ServerIdentity;
import dev.orloj.runtime.extension.Extensions;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.server.authorization.Rights;
import dev.orloj.server.mcp.catalog.Visibility;
import dev.orloj.server.mcp.protocol.CacheHints;
import dev.orloj.server.mcp.protocol.ClientEra;
import dev.orloj.server.mcp.protocol.ClientRequest;
import dev.orloj.server.mcp.protocol.ClientSession;
import dev.orloj.server.mcp.protocol.EndpointCapabilities;
import dev.orloj.server.mcp.protocol.EndpointScope;
import dev.orloj.server.mcp.protocol.LegacySseExposure;
import dev.orloj.server.mcp.protocol.ProtocolError;
import dev.orloj.server.mcp.protocol.ServerSelection;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Answers {@code initialize} and {@code server/discover}. A namespace identifies itself as Orloj, a
 * server as it last identified itself; no server is started for that. Thread-safe.
 */
public final class ServerInitializer {

    /**
     * Limits the extensions of a client, which the id of a session contains; the id is a header.
     */
    private static final int MAX_EXTENSIONS = 2048;

    private final ToolCatalog catalog;
    private final CatalogFreshness freshness;
    private final Visibility visibility;
    private final String version;
    private final InstantSource clock;
    private final LegacySseExposure sse;

    /**
     * @param version of orlojd
     */
    public ServerInitializer(
            ToolCatalog catalog,
            CatalogFreshness freshness,
            String version,
            InstantSource clock,
            LegacySseExposure sse) {
        this.catalog = catalog;
        this.freshness = freshness;
        this.visibility = new Visibility(catalog);
        this.version = version;
        this.clock = clock;
        this.sse = sse;
    }

    /** What an {@code initialize} leads to: a session, and the result with which it begins. */
    public record Initialized(ClientSession session, ObjectNode result) {}

    /**
     * Answers {@code initialize}. Session and result follow from the rights at its end: it may have
     * waited for the catalog.
     *
     * @param caller the user of the request
     * @param rights of that user
     * @throws ProtocolError when the client declares more extensions than the id of a session can
     *     hold, or a selected server does not exist
     */
    public Initialized initialize(
            EndpointScope scope, String caller, Rights rights, ObjectNode params)
            throws InterruptedException {
        freshness.awaitBriefly();
        requireChosen(scope, rights);
        ClientSession session = agree(scope, caller, rights, params);
        ObjectNode result = Json.MAPPER.createObjectNode();
        result.put("protocolVersion", session.revision().version());
        result.set("capabilities", capabilities(scope, rights));
        result.set("serverInfo", serverInfo(scope, rights));
        putInstructions(scope, rights, result);
        return new Initialized(session, result);
    }

    private ClientSession agree(
            EndpointScope scope, String caller, Rights rights, ObjectNode params) {
        ClientCapabilities capabilities = ClientCapabilities.of(params.path("capabilities"));
        int length = capabilities.extensions().toString().length();
        if (length > MAX_EXTENSIONS) {
            throw ProtocolError.invalidParams(
                    "\"params.capabilities.extensions\" takes %d characters; %d is the most"
                            .formatted(length, MAX_EXTENSIONS));
        }
        ProtocolRevision revision =
                ProtocolRevision.of(params.path("protocolVersion").asString(""))
                        .filter(ProtocolRevision.legacy()::contains)
                        .orElse(ProtocolRevision.newestLegacy());
        return new ClientSession(
                UUID.randomUUID().toString(),
                revision,
                scope.toString(),
                clock.instant(),
                caller,
                capabilities,
                rights.dependOnUser() && visibility.showsAny(scope, rights));
    }

    /** Returns the result of {@code server/discover}. */
    ObjectNode discover(EndpointScope scope, Rights rights, ClientEra era)
            throws InterruptedException {
        freshness.awaitBriefly();
        ObjectNode result = Json.MAPPER.createObjectNode();
        ArrayNode versions = result.putArray("supportedVersions");
        ProtocolRevision.streamableHttp().forEach(versions::add);
        if (sse.allows(scope)) {
            versions.add(ProtocolRevision.V2024_11_05.version());
        }
        result.set("capabilities", capabilities(scope, rights));
        putInstructions(scope, rights, result);
        return CacheHints.ofCatalogue(result, era, rights);
    }

    private ObjectNode capabilities(EndpointScope scope, Rights rights) {
        return EndpointCapabilities.of(identity(scope, rights), extensions(scope, rights));
    }

    /**
     * Returns whether the endpoint exists for the user; a namespace may be empty, and the default
     * one exists for every user.
     */
    public boolean isKnown(EndpointScope scope, Rights rights) throws InterruptedException {
        if (isKnownHere(scope, rights)) {
            return true;
        }
        freshness.await();
        return isKnownHere(scope, rights);
    }

    private boolean isKnownHere(EndpointScope scope, Rights rights) {
        return exists(scope) && (isDefault(scope) || visibility.showsAny(scope, rights));
    }

    private static boolean isDefault(EndpointScope scope) {
        return scope instanceof EndpointScope.Namespace(String namespace, var _)
                && namespace.equals(EndpointScope.DEFAULT_NAMESPACE);
    }

    /** Returns whether the session goes on: it ends when its user has lost all rights. */
    public boolean lasts(ClientSession session, EndpointScope scope, Rights rights) {
        return !session.hadRights() || visibility.showsAny(scope, rights);
    }

    /** Returns whether the list of a request can contain tools of a server. */
    boolean shows(ClientRequest request, ResourceKey server) {
        return request.scope().covers(server) && visibility.shows(server, request.rights());
    }

    private boolean exists(EndpointScope scope) {
        return switch (scope) {
            case EndpointScope.Namespace(String namespace, var _) ->
                    catalog.hasTools(namespace) || freshness.hasNamespace(namespace);
            case EndpointScope.Server(ResourceKey server) -> catalog.knows(server);
        };
    }

    /**
     * Requires that every selected server exists when the session starts. It may be deleted and
     * created again later.
     *
     * @throws ProtocolError (404) that names the missing servers
     */
    public void requireChosen(EndpointScope scope, Rights rights) throws InterruptedException {
        if (!(scope instanceof EndpointScope.Namespace namespace)
                || unknown(namespace, rights).isEmpty()) {
            return;
        }
        freshness.await();
        List<String> unknown = unknown(namespace, rights);
        if (!unknown.isEmpty()) {
            throw ProtocolError.invalidRequest(
                    404,
                    "There is no McpServer %s in the namespace \"%s\": \"%s\" must name servers that are there"
                            .formatted(
                                    String.join(", ", unknown),
                                    namespace.namespace(),
                                    ServerSelection.NAME));
        }
    }

    private List<String> unknown(EndpointScope.Namespace scope, Rights rights) {
        return scope.chosen().stream()
                .filter(name -> !isThere(new ResourceKey(scope.namespace(), name), rights))
                .map(name -> "\"" + name + "\"")
                .toList();
    }

    private boolean isThere(ResourceKey server, Rights rights) {
        return catalog.knows(server) && visibility.shows(server, rights);
    }

    JsonNode serverInfo(EndpointScope scope, Rights rights) {
        Optional<JsonNode> own =
                identity(scope, rights)
                        .map(ServerIdentity::serverInfo)
                        .filter(info -> info.path("name").isString())
                        .filter(info -> info.path("version").isString());
        return own.orElseGet(
                () ->
                        switch (scope) {
                            case EndpointScope.Namespace _ -> info("orloj").put("title", "Orloj");
                            case EndpointScope.Server(ResourceKey server) -> info(server.name());
                        });
    }

    private ObjectNode info(String name) {
        return Json.MAPPER.createObjectNode().put("name", name).put("version", version);
    }

    private void putInstructions(EndpointScope scope, Rights rights, ObjectNode result) {
        identity(scope, rights)
                .map(ServerIdentity::instructions)
                .filter(text -> !text.isEmpty())
                .ifPresent(text -> result.put("instructions", text));
    }

    /** Returns the union of the extensions that the servers of an endpoint declare. */
    private ObjectNode extensions(EndpointScope scope, Rights rights) {
        ObjectNode all = Json.MAPPER.createObjectNode();
        switch (scope) {
            case EndpointScope.Namespace namespace ->
                    catalog.serversOfNamespace(namespace.namespace()).stream()
                            .map(entry -> entry.definition().server())
                            .filter(namespace::covers)
                            .filter(server -> visibility.shows(server, rights))
                            .forEach(server -> uniteExtensions(all, server));
            case EndpointScope.Server(ResourceKey server) -> uniteExtensions(all, server);
        }
        return all;
    }

    private void uniteExtensions(ObjectNode all, ResourceKey server) {
        catalog.findIdentity(server)
                .map(identity -> Extensions.passedOn(identity.capabilities()))
                .ifPresent(declared -> Extensions.unite(all, declared));
    }

    /** Instructions and capabilities of a server concern those who may connect to it. */
    private Optional<ServerIdentity> identity(EndpointScope scope, Rights rights) {
        return switch (scope) {
            case EndpointScope.Namespace _ -> Optional.empty();
            case EndpointScope.Server(ResourceKey server) ->
                    Optional.of(
                            catalog.findIdentity(server)
                                    .filter(_ -> Visibility.connects(server, rights))
                                    .orElse(ServerIdentity.UNKNOWN));
        };
    }
}

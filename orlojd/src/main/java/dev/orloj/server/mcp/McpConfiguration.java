package dev.orloj.server.mcp;

import dev.orloj.controllers.CatalogFreshness;
import dev.orloj.controllers.replica.Replica;
import dev.orloj.runtime.call.ServerCaller;
import dev.orloj.runtime.call.ToolCaller;
import dev.orloj.runtime.call.WithheldTools;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.gateway.InstallationId;
import dev.orloj.runtime.observation.CallIds;
import dev.orloj.runtime.observation.CallObservers;
import dev.orloj.server.audit.CallAudit;
import dev.orloj.server.disconnect.ClientDisconnects;
import dev.orloj.server.gateway.GatewayLoops;
import dev.orloj.server.mcp.catalog.FeatureCache;
import dev.orloj.server.mcp.catalog.FeatureLists;
import dev.orloj.server.mcp.catalog.VisibleTools;
import dev.orloj.server.mcp.elicitation.LegacyElicitationBridge;
import dev.orloj.server.mcp.elicitation.RemoteSuspendedCalls;
import dev.orloj.server.mcp.elicitation.RequestStates;
import dev.orloj.server.mcp.elicitation.ResponseForwarder;
import dev.orloj.server.mcp.elicitation.ServerToClientRequests;
import dev.orloj.server.mcp.elicitation.SuspendedCallForwarder;
import dev.orloj.server.mcp.elicitation.SuspendedCalls;
import dev.orloj.server.mcp.elicitation.UrlElicitations;
import dev.orloj.server.mcp.legacysse.LegacySseConnections;
import dev.orloj.server.mcp.legacysse.LegacySseEndpoint;
import dev.orloj.server.mcp.methods.CallResults;
import dev.orloj.server.mcp.methods.FeatureHandlers;
import dev.orloj.server.mcp.methods.MethodHandlers;
import dev.orloj.server.mcp.methods.ServerInitializer;
import dev.orloj.server.mcp.methods.ToolHandlers;
import dev.orloj.server.mcp.protocol.LegacySseExposure;
import dev.orloj.server.mcp.resumption.RecordedStreams;
import dev.orloj.server.mcp.resumption.RecordingLimits;
import dev.orloj.server.mcp.session.SessionAuthenticator;
import dev.orloj.server.mcp.session.SessionLogLevels;
import dev.orloj.server.mcp.session.SessionTokens;
import dev.orloj.server.mcp.subscriptions.ResourceSubscriptions;
import dev.orloj.server.mcp.subscriptions.Subscriptions;
import dev.orloj.server.options.ServerVersion;
import dev.orloj.server.properties.McpProperties;
import dev.orloj.server.replica.Replicas;
import dev.orloj.server.rest.http.OpenStreams;
import dev.orloj.server.security.Hmac;
import dev.orloj.server.store.table.SecretCipher;

import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Wires the MCP endpoints. */
@Configuration(proxyBeanMethods = false)
@Import({McpEndpoint.Parts.class, LegacySseEndpoint.Parts.class})
class McpConfiguration {

    private static final String PATH = "/mcp";

    @Bean
    Subscriptions mcpSubscriptions(ToolCatalog catalog, Scheduler clock) {
        Subscriptions subscriptions = new Subscriptions(clock, catalog);
        catalog.addListener(subscriptions);
        return subscriptions;
    }

    @Bean
    FeatureCache mcpFeatureCache() {
        return new FeatureCache();
    }

    @Bean
    LegacySseConnections mcpSseConnections(CallIds ids, Replicas replicas) {
        return new LegacySseConnections(
                ids.replica(),
                (replica, kind, request) ->
                        replicas.ask(replica, kind, request, notification -> {}));
    }

    @Bean
    ResourceSubscriptions mcpResourceSubscriptions(Scheduler clock, Subscriptions listeners) {
        return new ResourceSubscriptions(clock, listeners);
    }

    @Bean
    RecordedStreams mcpRecordedStreams(Scheduler clock) {
        return new RecordedStreams(clock, RecordingLimits.DEFAULT);
    }

    @Bean
    SessionLogLevels mcpSessionLogLevels() {
        return new SessionLogLevels();
    }

    /** The session manager collects this bean with all other listeners. */
    @Bean
    NotificationRouter mcpServerNotices(
            FeatureCache cache,
            Subscriptions subscriptions,
            ResourceSubscriptions resources,
            UrlElicitations elicitations,
            SessionLogLevels logLevels) {
        return new NotificationRouter(cache, subscriptions, resources, elicitations, logLevels);
    }

    @Bean
    UrlElicitations mcpUrlElicitations() {
        return new UrlElicitations();
    }

    @Bean
    CallResults mcpOutcomes(UrlElicitations elicitations) {
        return new CallResults(elicitations);
    }

    @Bean
    FeatureHandlers mcpFeatureMethods(
            ToolCatalog catalog,
            CatalogFreshness freshness,
            ServerCaller caller,
            FeatureCache cache,
            ResourceSubscriptions resources,
            SessionLogLevels logLevels,
            CallResults callResults) {
        return new FeatureHandlers(
                new FeatureLists(catalog, caller, cache),
                freshness,
                caller,
                resources,
                logLevels,
                callResults);
    }

    @Bean
    RequestStates mcpRequestStates(SecretCipher cipher) {
        return new RequestStates(cipher.derive("orloj mcp request states", "AES"));
    }

    @Bean
    SuspendedCalls mcpParkedCalls(
            RequestStates states, Replica self, McpProperties properties, Scheduler clock) {
        return new SuspendedCalls(states, self.id(), properties.inputTimeout(), clock);
    }

    @Bean
    SuspendedCallForwarder mcpParkedCallExchange(SuspendedCalls suspended, Replicas replicas) {
        return new SuspendedCallForwarder(suspended, replicas);
    }

    @Bean
    LegacyElicitationBridge mcpRoundsOfOlderServers(
            ToolCatalog catalog,
            SuspendedCalls suspended,
            RequestStates states,
            RemoteSuspendedCalls elsewhere,
            Scheduler clock) {
        return new LegacyElicitationBridge(catalog, suspended, states, elsewhere, clock);
    }

    @Bean
    ServerToClientRequests mcpClientQuestions(
            Replica self, McpProperties properties, UrlElicitations elicitations) {
        return new ServerToClientRequests(self.id(), properties.inputTimeout(), elicitations);
    }

    @Bean
    ResponseForwarder mcpClientAnswers(ServerToClientRequests questions, Replicas replicas) {
        return new ResponseForwarder(questions, replicas);
    }

    @Bean
    LegacySseExposure mcpSseExposure(McpProperties properties, ToolCatalog catalog) {
        return new LegacySseExposure(properties.exposeSse(), catalog);
    }

    @Bean
    ServerInitializer mcpIntroductions(
            ToolCatalog catalog,
            CatalogFreshness freshness,
            Scheduler clock,
            LegacySseExposure sse) {
        return new ServerInitializer(
                catalog, freshness, ServerVersion.CURRENT.number(), clock, sse);
    }

    @Bean
    MethodHandlers mcpMethodHandlers(
            ServerInitializer initializer,
            ToolCatalog catalog,
            CatalogFreshness freshness,
            ToolCaller caller,
            CallIds ids,
            FeatureHandlers features,
            CallResults callResults,
            LegacyElicitationBridge elicitationBridge,
            InstallationId gateway,
            CallObservers observers,
            CallAudit audit,
            WithheldTools withheld) {
        return new MethodHandlers(
                initializer,
                new ToolHandlers(
                        new VisibleTools(catalog, withheld), freshness, caller, ids, callResults),
                features,
                elicitationBridge,
                observers,
                new GatewayLoops(gateway, catalog),
                audit);
    }

    @Bean
    SessionAuthenticator mcpSessionAuthenticator(SecretCipher cipher, Scheduler clock) {
        return new SessionAuthenticator(
                new SessionTokens(cipher.derive("orloj mcp sessions", Hmac.ALGORITHM), clock));
    }

    @Bean
    NotificationStreams mcpNotificationStreams(
            Subscriptions subscriptions,
            OpenStreams streams,
            FeatureHandlers features,
            ClientDisconnects disconnects,
            RecordedStreams recorded) {
        return new NotificationStreams(subscriptions, streams, features, disconnects, recorded);
    }

    @Bean
    ServletRegistrationBean<McpEndpoint> mcpEndpoint(
            McpEndpoint.Parts parts, LegacySseEndpoint.Parts legacy) {
        return new ServletRegistrationBean<>(
                new McpEndpoint(parts, new LegacySseEndpoint(legacy)), PATH + "/*");
    }
}

package dev.orloj.server.mcp;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.v1.Namespace;
import dev.orloj.controllers.pods.Replica;
import dev.orloj.runtime.call.ServerCaller;
import dev.orloj.runtime.call.ToolCaller;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.gateway.InstallationId;
import dev.orloj.runtime.session.AlarmClock;
import dev.orloj.runtime.trace.CallIds;
import dev.orloj.server.ServerVersion;
import dev.orloj.server.config.McpProperties;
import dev.orloj.server.gateway.GatewayLoops;
import dev.orloj.server.hangup.HangUps;
import dev.orloj.server.replica.Replicas;
import dev.orloj.server.rest.OpenStreams;
import dev.orloj.server.security.Hmac;
import dev.orloj.server.store.SecretCipher;
import dev.orloj.server.telemetry.ServedRequestListener;

import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.util.Optional;

/** The way of agents to the tools. */
@Configuration(proxyBeanMethods = false)
class McpConfiguration {

    private static final String PATH = "/mcp";

    @Bean
    Subscriptions mcpSubscriptions(ToolCatalog catalog, AlarmClock clock) {
        Subscriptions subscriptions = new Subscriptions(clock);
        catalog.addListener(subscriptions);
        return subscriptions;
    }

    @Bean
    FeatureCache mcpFeatureCache() {
        return new FeatureCache();
    }

    @Bean
    SseConnections mcpSseConnections(CallIds ids, Replicas replicas) {
        return new SseConnections(
                ids.replica(),
                (replica, kind, request) -> replicas.ask(replica, kind, request, news -> {}));
    }

    @Bean
    ResourceSubscriptions mcpResourceSubscriptions(AlarmClock clock, Subscriptions listeners) {
        return new ResourceSubscriptions(clock, listeners);
    }

    @Bean
    SessionLogLevels mcpSessionLogLevels() {
        return new SessionLogLevels();
    }

    /** Found by the session manager, like all listeners. */
    @Bean
    ServerNotices mcpServerNotices(
            FeatureCache cache,
            Subscriptions subscriptions,
            ResourceSubscriptions resources,
            UrlElicitations elicitations,
            SessionLogLevels logLevels) {
        return new ServerNotices(cache, subscriptions, resources, elicitations, logLevels);
    }

    @Bean
    UrlElicitations mcpUrlElicitations() {
        return new UrlElicitations();
    }

    @Bean
    Outcomes mcpOutcomes(UrlElicitations elicitations) {
        return new Outcomes(elicitations);
    }

    @Bean
    FeatureMethods mcpFeatureMethods(
            ToolCatalog catalog,
            ServerCaller caller,
            FeatureCache cache,
            ResourceSubscriptions resources,
            SessionLogLevels logLevels,
            Outcomes outcomes) {
        return new FeatureMethods(
                new FeatureLists(catalog, caller, cache), caller, resources, logLevels, outcomes);
    }

    @Bean
    RequestStates mcpRequestStates(SecretCipher cipher) {
        return new RequestStates(cipher.derive("orloj mcp request states", "AES"));
    }

    @Bean
    ParkedCalls mcpParkedCalls(
            RequestStates states, Replica self, McpProperties properties, AlarmClock clock) {
        return new ParkedCalls(states, self.id(), properties.inputTimeout(), clock);
    }

    @Bean
    ParkedCallExchange mcpParkedCallExchange(ParkedCalls parked, Replicas replicas) {
        return new ParkedCallExchange(parked, replicas);
    }

    @Bean
    RoundsOfOlderServers mcpRoundsOfOlderServers(
            ToolCatalog catalog,
            ParkedCalls parked,
            RequestStates states,
            ParkedCallRoute elsewhere,
            AlarmClock clock) {
        return new RoundsOfOlderServers(catalog, parked, states, elsewhere, clock);
    }

    @Bean
    ClientQuestions mcpClientQuestions(
            Replica self, McpProperties properties, UrlElicitations elicitations) {
        return new ClientQuestions(self.id(), properties.inputTimeout(), elicitations);
    }

    @Bean
    ClientAnswerExchange mcpClientAnswers(ClientQuestions questions, Replicas replicas) {
        return new ClientAnswerExchange(questions, replicas);
    }

    @Bean
    SseExposure mcpSseExposure(McpProperties properties, ToolCatalog catalog) {
        return new SseExposure(properties.exposeSse(), catalog);
    }

    @Bean
    Introductions mcpIntroductions(
            ToolCatalog catalog, ResourceClient client, AlarmClock clock, SseExposure sse) {
        return new Introductions(
                catalog,
                namespace ->
                        client.find(Namespace.KIND, new ResourceKey("", namespace)).isPresent(),
                ServerVersion.CURRENT.number(),
                clock,
                sse);
    }

    @Bean
    AgentMethods mcpAgentMethods(
            Introductions introductions,
            ToolCatalog catalog,
            ToolCaller caller,
            CallIds ids,
            FeatureMethods features,
            Outcomes outcomes,
            RoundsOfOlderServers rounds,
            InstallationId gateway,
            Optional<ServedRequestListener> listener) {
        return new AgentMethods(
                introductions,
                new ToolMethods(new AgentTools(catalog), caller, ids, outcomes),
                features,
                rounds,
                listener.orElse(ServedRequestListener.NONE),
                new GatewayLoops(gateway, catalog));
    }

    @Bean
    ServletRegistrationBean<McpEndpoint> mcpEndpoint(
            AgentMethods methods,
            Introductions introductions,
            FeatureMethods features,
            Subscriptions subscriptions,
            ResourceSubscriptions resources,
            SessionLogLevels logLevels,
            OpenStreams streams,
            HangUps hangUps,
            SecretCipher cipher,
            McpProperties properties,
            AlarmClock clock,
            ClientQuestions questions,
            ClientAnswers answers,
            SseExposure sse,
            SseConnections connections) {
        McpEndpoint.Parts parts =
                new McpEndpoint.Parts(
                        methods,
                        introductions,
                        new SessionGate(
                                new SessionTokens(
                                        cipher.derive("orloj mcp sessions", Hmac.ALGORITHM),
                                        clock)),
                        new NotificationStreams(subscriptions, streams, features, hangUps),
                        subscriptions,
                        resources,
                        logLevels,
                        hangUps,
                        clock,
                        questions,
                        answers);
        SseDoor.Parts door = new SseDoor.Parts(
                        sse,
                        connections,
                        streams,
                        methods,
                        introductions,
                        questions,
                        subscriptions,
                        resources,
                        logLevels,
                        hangUps);
        return new ServletRegistrationBean<>(new McpEndpoint(parts, new SseDoor(door)), PATH + "/*");
    }
}

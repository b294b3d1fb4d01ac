package dev.orloj.server.rest;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.core.ConfigMap;
import dev.orloj.api.core.Secret;
import dev.orloj.api.findings.KnownTools;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.controllers.policy.PolicyCheck;
import dev.orloj.controllers.review.StoredResources;

import java.util.Optional;

/** Stored resources without a cache. */
record ClientResources(ResourceClient client) implements StoredResources {

    @Override
    public Optional<McpServer> server(ResourceKey key) {
        return client.find(McpServer.KIND, key);
    }

    @Override
    public Optional<Secret> secret(ResourceKey key) {
        return client.find(Secret.KIND, key);
    }

    @Override
    public Optional<ConfigMap> configMap(ResourceKey key) {
        return client.find(ConfigMap.KIND, key);
    }

    @Override
    public Optional<Sandbox> sandbox(ResourceKey key) {
        return client.find(Sandbox.KIND, key);
    }

    @Override
    public KnownTools toolsBeside(ResourceKey server) {
        return KnownTools.NONE;
    }

    @Override
    public PolicyCheck policies() {
        return PolicyCheck.NONE;
    }
}

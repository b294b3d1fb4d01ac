package dev.orloj.controllers.review;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.ConfigMap;
import dev.orloj.api.core.Secret;
import dev.orloj.api.findings.KnownTools;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.controllers.policy.PolicyCheck;

import java.util.Optional;

/** Finds stored resources, in the caches. */
public interface StoredResources {

    Optional<McpServer> server(ResourceKey key);

    Optional<Secret> secret(ResourceKey key);

    Optional<ConfigMap> configMap(ResourceKey key);

    Optional<Sandbox> sandbox(ResourceKey key);

    /** Returns the tools of the other servers in the namespace of a server. */
    KnownTools toolsBeside(ResourceKey server);

    /** Returns what may run now. */
    PolicyCheck policies();
}

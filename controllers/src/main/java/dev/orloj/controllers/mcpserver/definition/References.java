package dev.orloj.controllers.mcpserver.definition;

import dev.orloj.api.core.SecretRef;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerSpec;

import java.util.Set;
import java.util.TreeSet;

/** What manifests refer to. */
public final class References {

    private References() {}

    /** Returns the names of the Secrets that a manifest refers to. All are in its own namespace. */
    public static Set<String> secretNames(McpServer server) {
        McpServerSpec spec = server.spec();
        Set<String> names = new TreeSet<>();
        for (McpServer.EnvVar variable : spec.program().env()) {
            if (!variable.secretRef().isEmpty()) {
                names.add(SecretRef.parse(variable.secretRef()).name());
            }
        }
        for (McpServer.EnvSource source : spec.program().envFrom()) {
            if (source.secretRef() != null) {
                names.add(source.secretRef().name());
            }
        }
        for (McpServer.Header header : spec.http().headers()) {
            if (!header.secretRef().isEmpty()) {
                names.add(SecretRef.parse(header.secretRef()).name());
            }
        }
        names.addAll(HttpCredentials.secretNames(server.metadata().name(), spec.http().auth()));
        if (!spec.container().image().imagePullSecret().isEmpty()) {
            names.add(spec.container().image().imagePullSecret());
        }
        return names;
    }

    /**
     * Returns the names of the ConfigMaps that a manifest refers to. All are in its own namespace.
     */
    public static Set<String> configMapNames(McpServerSpec spec) {
        Set<String> names = new TreeSet<>();
        for (McpServer.EnvSource source : spec.program().envFrom()) {
            if (source.configMapRef() != null) {
                names.add(source.configMapRef().name());
            }
        }
        return names;
    }
}

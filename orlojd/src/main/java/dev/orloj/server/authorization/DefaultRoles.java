package dev.orloj.server.authorization;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.codec.Manifest;
import dev.orloj.api.codec.ManifestReader;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.rbac.ClusterRole;
import dev.orloj.api.rbac.ClusterRoleBinding;
import dev.orloj.api.rbac.PolicyRule;
import dev.orloj.api.rbac.Subject;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;

/**
 * Creates the roles and bindings that every installation starts with, and at later starts adds the
 * rules and subjects that they lack, such as those of a newer version. Further ones stay. The
 * annotation {@code rbac.authorization.kubernetes.io/autoupdate: "false"} keeps a role or binding
 * as it is. As in Kubernetes.
 */
public final class DefaultRoles {

    private static final String RESOURCE = "default-roles.yaml";
    private static final String AUTO_UPDATE = "rbac.authorization.kubernetes.io/autoupdate";
    private static final int MAX_ATTEMPTS = 5;

    private DefaultRoles() {}

    public static void ensure(ResourceClient client) {
        for (Manifest manifest : ManifestReader.read(RESOURCE, read(), DefaultRoles::refuse)) {
            ObjectNode document = manifest.document().root();
            if (document.path("kind").asString("").equals("ClusterRole")) {
                ensure(
                        client,
                        ClusterRole.KIND,
                        ResourceCodec.fromDocument(ClusterRole.KIND, document),
                        DefaultRoles::completed);
            } else {
                ensure(
                        client,
                        ClusterRoleBinding.KIND,
                        ResourceCodec.fromDocument(ClusterRoleBinding.KIND, document),
                        DefaultRoles::completed);
            }
        }
    }

    private static <R extends Resource> void ensure(
            ResourceClient client, Kind<R> kind, R wanted, BinaryOperator<R> completed) {
        for (int attempt = 1; ; attempt++) {
            try {
                Optional<R> existing = client.find(kind, wanted.metadata().key());
                if (existing.isEmpty()) {
                    client.create(kind, wanted);
                } else if (isUpdated(existing.get())) {
                    R whole = completed.apply(existing.get(), wanted);
                    if (!whole.equals(existing.get())) {
                        client.update(kind, whole);
                    }
                }
                return;
            } catch (ApiException e) { // another replica may start at the same time
                boolean isRace =
                        e.reason() == ErrorReason.ALREADY_EXISTS
                                || e.reason() == ErrorReason.CONFLICT;
                if (!isRace || attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static boolean isUpdated(Resource existing) {
        return !"false".equals(existing.metadata().annotations().get(AUTO_UPDATE));
    }

    private static ClusterRole completed(ClusterRole existing, ClusterRole wanted) {
        if (existing.aggregationRule() != null || wanted.aggregationRule() != null) {
            return existing;
        }
        List<PolicyRule> rules = new ArrayList<>(existing.rules());
        rules.addAll(RuleCoverage.uncovered(existing.rules(), wanted.rules()));
        return new ClusterRole(
                existing.apiVersion(), existing.kind(), existing.metadata(), null, rules);
    }

    private static ClusterRoleBinding completed(
            ClusterRoleBinding existing, ClusterRoleBinding wanted) {
        Set<Subject> subjects = new LinkedHashSet<>(existing.subjects());
        subjects.addAll(wanted.subjects());
        return new ClusterRoleBinding(
                existing.apiVersion(),
                existing.kind(),
                existing.metadata(),
                existing.roleRef(),
                List.copyOf(subjects));
    }

    private static void refuse(String error) {
        throw new IllegalStateException(error);
    }

    private static byte[] read() {
        try (InputStream in =
                Objects.requireNonNull(DefaultRoles.class.getResourceAsStream(RESOURCE))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.orloj.server.authorization;

import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.rbac.ClusterRole;
import dev.orloj.api.rbac.ClusterRoleBinding;
import dev.orloj.api.rbac.PolicyRule;
import dev.orloj.api.rbac.Role;
import dev.orloj.api.rbac.RoleBinding;
import dev.orloj.api.rbac.RoleRef;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.informer.Informers;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Decides by the roles and bindings in the store, which it follows: a change counts as soon as the
 * store has announced it. While the store cannot be reached, the last known state counts.
 */
public final class RbacAuthorizer implements Authorizer, AutoCloseable {

    private final Informers informers;
    private final AtomicLong changes = new AtomicLong();

    /**
     * @param asOf the number of changes that the policy includes
     */
    private record Indexed(RbacPolicy policy, long asOf) {}

    private volatile Indexed current = new Indexed(RbacPolicy.EMPTY, 0);

    public RbacAuthorizer(ResourceClient client) {
        informers =
                new Informers(
                        client,
                        List.of(
                                Role.KIND,
                                ClusterRole.KIND,
                                RoleBinding.KIND,
                                ClusterRoleBinding.KIND));
        follow(Role.KIND);
        follow(ClusterRole.KIND);
        follow(RoleBinding.KIND);
        follow(ClusterRoleBinding.KIND);
    }

    private <R extends Resource> void follow(Kind<R> kind) {
        informers
                .of(kind)
                .addHandler(
                        new EventHandler<R>() {
                            @Override
                            public void added(R resource, boolean initial) {
                                changes.incrementAndGet();
                            }

                            @Override
                            public void updated(R before, R after) {
                                changes.incrementAndGet();
                            }

                            @Override
                            public void deleted(R last) {
                                changes.incrementAndGet();
                            }
                        });
    }

    /** Returns when all roles and bindings have been read. */
    public void start() throws InterruptedException {
        informers.all().forEach(Informer::start);
        for (Informer<?> informer : informers.all()) {
            informer.awaitSynced();
        }
    }

    /** Returns the roles as they are stored. */
    List<ClusterRole> clusterRoles() {
        return informers.of(ClusterRole.KIND).cache().list();
    }

    /** Returns the number of changes so far. */
    public long changes() {
        return changes.get();
    }

    @Override
    public Decision decide(UserInfo user, Attributes request) {
        return policy().decide(user, request);
    }

    @Override
    public List<PolicyRule> rules(UserInfo user, String namespace) {
        return policy().rules(user, namespace);
    }

    @Override
    public Optional<List<PolicyRule>> rules(RoleRef role, String namespace) {
        return policy().rules(role, namespace);
    }

    /** Handlers run after the cache has the change, so what is indexed has all counted changes. */
    private RbacPolicy policy() {
        Indexed indexed = current;
        return indexed.asOf() == changes.get() ? indexed.policy() : index();
    }

    private synchronized RbacPolicy index() {
        long asOf = changes.get();
        if (current.asOf() != asOf) {
            current =
                    new Indexed(
                            RbacPolicy.of(
                                    informers.of(Role.KIND).cache().list(),
                                    informers.of(ClusterRole.KIND).cache().list(),
                                    informers.of(RoleBinding.KIND).cache().list(),
                                    informers.of(ClusterRoleBinding.KIND).cache().list()),
                            asOf);
        }
        return current.policy();
    }

    @Override
    public void close() throws InterruptedException {
        for (Informer<?> informer : informers.all()) {
            informer.close();
        }
    }
}

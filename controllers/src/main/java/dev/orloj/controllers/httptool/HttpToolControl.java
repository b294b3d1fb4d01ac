package dev.orloj.controllers.httptool;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.core.Secret;
import dev.orloj.api.policy.McpServerPolicy;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.control.Reconciler;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.controllers.informer.Index;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.informer.Informers;
import dev.orloj.controllers.policy.AffectedNamespaces;
import dev.orloj.controllers.policy.PolicyCheck;
import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.controllers.secret.OperatorSecrets;
import dev.orloj.controllers.secret.SecretLookup;
import dev.orloj.controllers.workqueue.Workqueue;
import dev.orloj.runtime.catalog.ToolCatalog;

import java.time.InstantSource;
import java.util.Objects;
import java.util.function.Consumer;

/** Assembles the controller of declared Tools. */
public final class HttpToolControl {

    private final Informer<Tool> tools;
    private final SecretLookup secrets;
    private final Informer<McpServerPolicy> policies;
    private final Informer<Namespace> namespaces;
    private final Index<Tool> users;
    private final DeclaredToolResolver resolver;

    /**
     * @param informers of Tools, Secrets, McpServerPolicies and Namespaces; not started yet
     * @param operatorSecrets has values for Secrets that do not exist
     */
    public HttpToolControl(Informers informers, OperatorSecrets operatorSecrets) {
        this.tools = informers.of(Tool.KIND);
        this.policies = informers.of(McpServerPolicy.KIND);
        this.namespaces = informers.of(Namespace.KIND);
        this.secrets =
                new SecretLookup(informers.of(Secret.KIND), namespaces, operatorSecrets.mounted());
        this.users =
                tools.addIndex(
                        tool ->
                                DeclaredToolResolver.secretNames(tool.spec()).stream()
                                        .map(name -> secretOf(tool, name))
                                        .toList());
        this.resolver =
                new DeclaredToolResolver(
                        secrets::find,
                        operatorSecrets,
                        PolicyCheck.of(policies, namespaces, ContainerPolicy.DEFAULT));
    }

    private static String secretOf(Tool tool, String name) {
        return new ResourceKey(tool.metadata().namespace(), name).toString();
    }

    /** Makes the catalog follow the informers from the time they start. */
    public void feed(ToolCatalog catalog) {
        new HttpToolFeed(tools, resolver, catalog).install(secrets, users, this::followPolicies);
    }

    private void followPolicies(Consumer<String> affected) {
        AffectedNamespaces.follow(policies, namespaces, affected);
    }

    /** Creates the reconciler and adds every event that requires a reconcile to the queue. */
    public Reconciler reconciler(
            ResourceClient client, InstantSource clock, Workqueue<ResourceKey> queue) {
        tools.addHandler(
                new EventHandler<Tool>() {
                    @Override
                    public void added(Tool tool, boolean initial) {
                        if (isDeclared(tool)) {
                            queue.add(tool.key());
                        }
                    }

                    @Override
                    public void updated(Tool before, Tool after) {
                        boolean changed =
                                before.metadata().generation() != after.metadata().generation()
                                        || !Objects.equals(before.status(), after.status());
                        if (changed && (isDeclared(before) || isDeclared(after))) {
                            queue.add(after.key());
                        }
                    }
                });
        secrets.addHandler(SecretUsers.handler(users, queue::add));
        followPolicies(
                namespace ->
                        tools.cache().inNamespace(namespace).stream()
                                .filter(HttpToolControl::isDeclared)
                                .forEach(tool -> queue.add(tool.key())));
        return new HttpToolReconciler(client, tools.cache(), resolver, clock);
    }

    static boolean isDeclared(Tool tool) {
        return !tool.spec().type().equals(Tool.TYPE_MCP) || tool.spec().mcpServerRef().isEmpty();
    }
}

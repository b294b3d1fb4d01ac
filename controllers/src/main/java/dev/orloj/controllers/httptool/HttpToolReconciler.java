package dev.orloj.controllers.httptool;

import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.control.Reconciler;
import dev.orloj.controllers.control.Result;
import dev.orloj.controllers.informer.Cache;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Writes the status of declared Tools. A callable Tool that depends only on its spec gets no
 * status: there is nothing to observe, and clients that write Tools see no writes but their own.
 */
final class HttpToolReconciler implements Reconciler {

    private static final String CALLABLE = "Callable";

    private final ResourceClient client;
    private final Cache<Tool> tools;
    private final DeclaredToolResolver resolver;
    private final InstantSource clock;

    HttpToolReconciler(
            ResourceClient client,
            Cache<Tool> tools,
            DeclaredToolResolver resolver,
            InstantSource clock) {
        this.client = client;
        this.tools = tools;
        this.resolver = resolver;
        this.clock = clock;
    }

    @Override
    public Result reconcile(ResourceKey key) {
        Optional<Tool> found = tools.find(key).filter(tool -> !tool.metadata().isDeleting());
        if (found.isPresent()) {
            write(found.get());
        }
        return Result.DONE;
    }

    private void write(Tool tool) {
        Tool.Status before = tool.status();
        List<Condition> current = before == null ? List.of() : before.conditions();
        Optional<Condition> observed = observe(tool);
        boolean isSaid = Conditions.find(current, Tool.READY).isPresent();
        boolean isWorthSaying =
                observed.filter(ready -> ready.status() == Condition.Status.FALSE).isPresent()
                        || !DeclaredToolResolver.secretNames(tool.spec()).isEmpty();
        if (!isSaid && !isWorthSaying) {
            return;
        }
        long generation = tool.metadata().generation();
        List<Condition> merged =
                observed.map(
                                ready ->
                                        Conditions.merge(
                                                current,
                                                List.of(ready),
                                                generation,
                                                clock.instant()))
                        .orElseGet(() -> without(current));
        Tool.Status after = new Tool.Status(phase(observed), generation, merged);
        if (!after.equals(before)) {
            client.updateStatus(Tool.KIND, tool.withStatus(after));
        }
    }

    /**
     * Returns the condition of a Tool. Empty for a Tool of a server, because the status of the
     * server covers it.
     */
    private Optional<Condition> observe(Tool tool) {
        return resolver.resolve(tool)
                .map(
                        declared ->
                                switch (declared) {
                                    case DeclaredTool.Callable _ ->
                                            Condition.isTrue(
                                                    Tool.READY,
                                                    CALLABLE,
                                                    "The tool can be called, as far as its manifest"
                                                        + " and its Secrets go; its endpoint is not"
                                                        + " asked before a call");
                                    case DeclaredTool.Refused(String reason, String message) ->
                                            Condition.isFalse(Tool.READY, reason, message);
                                });
    }

    private static List<Condition> without(List<Condition> current) {
        return current.stream().filter(c -> !c.type().equals(Tool.READY)).toList();
    }

    private static String phase(Optional<Condition> observed) {
        return observed.map(ready -> ready.status() == Condition.Status.TRUE ? "Ready" : "Error")
                .orElse("");
    }
}

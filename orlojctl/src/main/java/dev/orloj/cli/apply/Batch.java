package dev.orloj.cli.apply;

import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.ToolPolicy;
import dev.orloj.api.core.ConfigMap;
import dev.orloj.api.core.CoreSecret;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.core.Secret;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.api.v1.Tool;
import dev.orloj.cli.http.ConnectionException;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Processes many documents in parallel. Documents on which others depend come first; documents of
 * the same resource are processed one after the other. Delivers the results in the order of the
 * documents.
 */
public final class Batch<R> {

    static final int IN_FLIGHT = 8;

    private static final List<String> ORDER =
            List.of(
                    Namespace.KIND.name(),
                    ConfigMap.KIND.name(),
                    Secret.KIND.name(),
                    Sandbox.KIND.name(),
                    ToolPolicy.KIND.name(),
                    McpServer.KIND.name(),
                    Tool.KIND.name());

    private final List<FutureTask<R>> tasks;
    private final List<List<Integer>> stages;
    private volatile Optional<ConnectionException> lost = Optional.empty();

    /**
     * @param work may throw
     */
    public Batch(List<Intent> intents, Function<Intent, R> work) {
        tasks =
                intents.stream()
                        .map(intent -> new FutureTask<>(() -> attempt(intent, work)))
                        .toList();
        stages = stages(intents);
    }

    private R attempt(Intent intent, Function<Intent, R> work) {
        if (lost.isPresent()) {
            throw new CancellationException();
        }
        try {
            return work.apply(intent);
        } catch (ConnectionException e) {
            lost = lost.or(() -> Optional.of(e));
            throw new CancellationException();
        }
    }

    /** Returns the positions of documents that may be processed in parallel, stage by stage. */
    static List<List<Integer>> stages(List<Intent> intents) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < intents.size(); i++) {
            order.add(i);
        }
        order.sort(Comparator.comparingInt(i -> rank(intents.get(i).kind())));
        List<List<Integer>> stages = new ArrayList<>();
        Set<ResourceKey> keys = new HashSet<>();
        int rank = -1;
        for (int i : order) {
            Intent intent = intents.get(i);
            boolean isRepeated = !keys.add(intent.key());
            if (rank(intent.kind()) != rank || isRepeated) {
                rank = rank(intent.kind());
                keys.clear();
                keys.add(intent.key());
                stages.add(new ArrayList<>());
            }
            stages.getLast().add(i);
        }
        return stages;
    }

    /**
     * Returns the position of a kind in the order of creation. Kinds that are not in the list come
     * with those without dependencies.
     */
    static int rank(Kind<?> kind) {
        int rank = ORDER.indexOf(kind.name());
        return rank < 0 ? ORDER.indexOf(CoreSecret.KIND.name()) : rank;
    }

    /**
     * Processes all documents.
     *
     * @param sink receives the result of each position, which throws what the work threw, on this
     *     thread
     * @throws ConnectionException after the results of what was done, when the connection was lost
     */
    public void run(Sink<R> sink) {
        int most = stages.stream().mapToInt(List::size).max().orElse(0);
        ExecutorService threads =
                Executors.newFixedThreadPool(
                        Math.clamp(most, 1, IN_FLIGHT),
                        Thread.ofPlatform().daemon().name("apply-", 0).factory());
        int next = 0;
        try {
            for (List<Integer> stage : stages) {
                Consumer<FutureTask<R>> start =
                        stage.size() == 1 ? FutureTask::run : threads::execute;
                stage.forEach(i -> start.accept(tasks.get(i)));
                for (int i : stage) {
                    await(tasks.get(i));
                    while (next < tasks.size() && tasks.get(next).isDone()) {
                        hand(next++, sink);
                    }
                }
            }
        } finally {
            threads.shutdownNow();
        }
        if (lost.isPresent()) {
            throw lost.get();
        }
    }

    /** Receives results. */
    public interface Sink<R> {

        /**
         * @param result throws what the work threw
         */
        void accept(int position, Supplier<R> result);
    }

    private void hand(int position, Sink<R> sink) {
        FutureTask<R> task = tasks.get(position);
        if (task.state() == FutureTask.State.FAILED
                && task.exceptionNow() instanceof CancellationException) {
            return; // not attempted, or lost with the connection
        }
        sink.accept(position, () -> result(task));
    }

    private static <R> R result(FutureTask<R> task) {
        if (task.state() == FutureTask.State.FAILED) {
            Throwable failure = task.exceptionNow();
            throw failure instanceof RuntimeException e ? e : new IllegalStateException(failure);
        }
        return task.resultNow();
    }

    private static void await(FutureTask<?> task) {
        try {
            task.get();
        } catch (ExecutionException e) {
            // The sink receives the failure.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before everything was applied", e);
        }
    }
}

package dev.orloj.runtime.http;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.limit.CallLimits;
import dev.orloj.runtime.limit.CallPermits;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The declared tools of this process: how to call the valid ones, and why the others cannot be
 * called. Thread-safe; reads take no lock.
 */
public final class HttpTools {

    /** A declared tool. */
    public sealed interface Declared {

        /**
         * @param permits grants permits for its calls
         */
        record Callable(HttpTool tool, CallPermits permits) implements Declared {}

        /**
         * @param why why the tool cannot be called, with the remedy
         */
        record Refused(String why) implements Declared {}
    }

    private final ConcurrentMap<ResourceKey, Declared> tools = new ConcurrentHashMap<>();

    /** Adds or replaces a tool. Calls in progress keep their permits. */
    public void put(HttpTool tool) {
        tools.compute(
                tool.tool(),
                (_, known) ->
                        new Declared.Callable(
                                tool,
                                known instanceof Declared.Callable(HttpTool _, CallPermits permits)
                                        ? permits
                                        : CallPermits.of(CallLimits.DEFAULT)));
    }

    /**
     * @param why the reason of {@link Declared.Refused}
     */
    public void refuse(ResourceKey tool, String why) {
        tools.put(tool, new Declared.Refused(why));
    }

    public void remove(ResourceKey tool) {
        tools.remove(tool);
    }

    public Optional<Declared> find(ResourceKey tool) {
        return Optional.ofNullable(tools.get(tool));
    }
}

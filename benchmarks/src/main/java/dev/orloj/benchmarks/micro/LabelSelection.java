package dev.orloj.benchmarks.micro;

import dev.orloj.api.LabelSelector;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

import java.util.Map;

/** Matching the labels of a resource, as every watch does with every event. */
@State(Scope.Benchmark)
public class LabelSelection {

    private final LabelSelector selector =
            LabelSelector.parse("orloj.dev/mcp-server=github,tier in (front,back),!legacy");
    private final Map<String, String> labels =
            Map.of(
                    "orloj.dev/mcp-server",
                    "github",
                    "orloj.dev/mcp-generated",
                    "true",
                    "tier",
                    "back");

    @Benchmark
    public boolean match() {
        return selector.matches(labels);
    }

    /** The same three questions, asked by hand. */
    @Benchmark
    public boolean matchBaseline() {
        String tier = labels.get("tier");
        return "github".equals(labels.get("orloj.dev/mcp-server"))
                && ("front".equals(tier) || "back".equals(tier))
                && !labels.containsKey("legacy");
    }
}

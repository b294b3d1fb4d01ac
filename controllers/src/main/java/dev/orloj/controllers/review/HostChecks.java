package dev.orloj.controllers.review;

import dev.orloj.api.report.Check;
import dev.orloj.api.report.Finding;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerSpec;
import dev.orloj.controllers.mcpserver.definition.Resolution;
import dev.orloj.controllers.mcpserver.definition.ServerDefaults;
import dev.orloj.runtime.container.spec.PullPolicy;
import dev.orloj.runtime.listing.ListingLimits;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.workload.HostPrograms;
import dev.orloj.runtime.workload.WorkloadException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks a manifest against this host and the settings of orlojd, without starting anything. */
final class HostChecks {

    /** Looks for images on this host. */
    @FunctionalInterface
    interface Images {

        /**
         * @throws WorkloadException when the engine does not respond
         */
        boolean has(String image);
    }

    private final ServerDefaults defaults;
    private final Images images;

    HostChecks(ServerDefaults defaults, Images images) {
        this.defaults = defaults;
        this.images = images;
    }

    List<Finding> of(McpServer server, Resolution.Resolved resolved) {
        List<Finding> findings = new ArrayList<>();
        McpServer.DESCRIPTOR
                .advice(server)
                .forEach(advice -> findings.add(Finding.of(Check.DISCOURAGED, advice.message())));
        resolved.notes()
                .forEach(note -> findings.add(Finding.of(Check.ENVIRONMENT_NAME_INVALID, note)));
        addExcesses(server.spec(), findings);
        switch (resolved.definition().address()) {
            case ServerAddress.Stdio stdio ->
                    HostPrograms.objection(stdio.command().getFirst(), stdio.env(), stdio.user())
                            .ifPresent(
                                    why ->
                                            findings.add(
                                                    Finding.at(
                                                            Check.COMMAND_NOT_FOUND,
                                                            "spec.command",
                                                            why)));
            case ServerAddress.Container container -> {
                var image = container.spec().image();
                if (image.pullPolicy() == PullPolicy.NEVER) {
                    absence(image.name()).ifPresent(findings::add);
                }
            }
            // The images of Pods are on the nodes of the cluster.
            case ServerAddress.Pod _,
                    ServerAddress.Exec _,
                    ServerAddress.Http _,
                    ServerAddress.Sse _ -> {}
        }
        return findings;
    }

    /** Returns that an image is not on this host; empty when it is. */
    Optional<Finding> absence(String image) {
        try {
            return images.has(image)
                    ? Optional.empty()
                    : Optional.of(
                            missing("Image \"%s\" is not on the host of orlojd".formatted(image)));
        } catch (WorkloadException e) {
            return Optional.of(missing(String.valueOf(e.getMessage())));
        }
    }

    private static Finding missing(String message) {
        return Finding.at(Check.IMAGE_NOT_AVAILABLE, "spec.image", message);
    }

    private void addExcesses(McpServerSpec spec, List<Finding> findings) {
        McpServer.ToolLimits given = spec.offer().toolLimits();
        if (given != null) {
            ListingLimits.Ceilings most = defaults.toolLists();
            addExcess("max_tools", given.maxTools(), most.tools(), findings);
            addExcess("max_bytes", given.maxBytes(), most.bytes(), findings);
            addExcess("max_pages", given.maxPages(), most.pages(), findings);
        }
    }

    private static void addExcess(
            String field, @Nullable Long value, long ceiling, List<Finding> findings) {
        if (value != null && value > ceiling) {
            findings.add(
                    Finding.at(
                            Check.CEILING_EXCEEDED,
                            "spec.tool_limits." + field,
                            "spec.tool_limits.%s is %,d, and orlojd allows %,d, which applies"
                                    .formatted(field, value, ceiling)));
        }
    }
}

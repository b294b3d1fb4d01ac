package dev.orloj.controllers.mcpserver;

import dev.orloj.api.ApiException;
import dev.orloj.api.Conditions;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.approval.ApprovedDescription;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.HeldDefinition;
import dev.orloj.api.approval.OfferedFeatures;
import dev.orloj.api.approval.ServerDescription;
import dev.orloj.api.approval.ToolApproval;
import dev.orloj.api.approval.ToolApprovals;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.batch.BatchedWrites;
import dev.orloj.controllers.control.RetryException;
import dev.orloj.controllers.events.ConditionMessage;
import dev.orloj.controllers.events.EventRecorder;
import dev.orloj.controllers.mcpserver.approval.ApprovedListing;
import dev.orloj.controllers.mcpserver.definition.McpServerView;
import dev.orloj.controllers.mcpserver.tools.ToolPlan;
import dev.orloj.controllers.report.ReportCards;
import dev.orloj.controllers.toolfilter.ToolSelection;
import dev.orloj.runtime.gateway.GatewayLoopException;
import dev.orloj.runtime.gateway.InstallationId;
import dev.orloj.runtime.listing.ListingLimitException;
import dev.orloj.runtime.listing.ToolListing;
import dev.orloj.runtime.report.DefinitionReport;
import dev.orloj.runtime.session.Session;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Writes the Tools of a server in batches until they match a listing. Stops between two batches if
 * the server is deleted or changed. What is written by then stays for the next reconcile.
 */
final class ToolSync {

    private final ResourceClient client;
    private final StatusWriter status;
    private final EventRecorder events;
    private final BatchedWrites<Tool> writes;
    private final InstallationId gateway;
    private final ReportCards reports;
    private final ToolApprovals approvals;
    private final McpServerCaches caches;

    ToolSync(
            ResourceClient client,
            StatusWriter status,
            EventRecorder events,
            ReportCards reports,
            ToolApprovals approvals,
            McpServerCaches caches) {
        this.writes =
                new BatchedWrites<>(
                        client, Tool.KIND, tool -> tool.spec().listed().toString().length());
        this.client = client;
        this.gateway = new InstallationId(client);
        this.status = status;
        this.events = events;
        this.reports = reports;
        this.approvals = approvals;
        this.caches = caches;
    }

    /**
     * @param server as stored now; newer than the server of the view
     * @return whether the Tools match now; false if the server was deleted or changed
     * @throws RetryException when the Tools are refused; the status says so
     */
    boolean sync(McpServer server, McpServerView view, Session session, ToolListing packed)
            throws InterruptedException {
        ToolListing listing = packed.unpacked();
        Optional<String> own = gateway.find().filter(listing.gateways()::contains);
        if (own.isPresent()) {
            failed(
                    server,
                    view,
                    session,
                    ServerStatus.GATEWAY_LOOP,
                    "No Tools are made",
                    new GatewayLoopException(own.get(), listing.gateways()));
            // Another listing would not help.
            return true;
        }
        ApprovedListing approved =
                approve(view, listing, described(session))
                        .with(server, approvals.offer(server.key(), listing.features().offered()));
        ToolPlan plan = ToolPlan.of(view, approved.definitions(), approved.withheld());
        McpServer current =
                plan.writes().size() > BatchedWrites.MAX_WRITES
                        ? status.write(
                                server,
                                new ObservedState.Syncing(session.identity(), plan.writes().size()))
                        : server;
        if (!write(current, view, plan, session)) {
            return false;
        }
        reports.listed(server.key(), session.info(), report(server, session, listing));
        EventMessages.of(plan).ifPresent(note -> events.record(current, note));
        EventMessages.warnings(view.policy(), plan, approved)
                .forEach(note -> events.record(current, note));
        status.write(
                current,
                new ObservedState.Synced(
                        session.identity().describedAs(approved.description()),
                        plan,
                        notes(listing),
                        listing.gateways(),
                        approved.condition()));
        return true;
    }

    private static List<String> notes(ToolListing listing) {
        return Stream.concat(listing.notes().stream(), listing.features().notes().stream())
                .toList();
    }

    /** Holds what the policy does not serve, before any Tool is written. */
    private ApprovedListing approve(
            McpServerView view, ToolListing listing, ServerDescription stated) {
        McpServer server = view.server();
        if (view.policy().isEmpty()) {
            if (hadPolicy(server)) {
                approvals.hold(server.key(), List.of());
            }
            return ApprovedListing.all(listing.tools(), stated);
        }
        Map<DefinitionName, ToolApproval> known = approvals.find(server.key());
        ApprovedListing approved = ApprovedListing.of(view, known, listing.tools(), stated);
        if (!approved.held().isEmpty() || hasHeld(known)) {
            approvals.hold(server.key(), approved.held());
        }
        return approved;
    }

    private static ServerDescription described(Session session) {
        return ServerDescription.of(
                session.identity().serverInfo(), session.identity().instructions());
    }

    Optional<HeldDefinition> heldCode(McpServerView view, String named) {
        return view.policy().isEmpty()
                ? Optional.empty()
                : approvals.heldCode(view.server().key(), view.policy(), named);
    }

    private static boolean hasHeld(Map<DefinitionName, ToolApproval> known) {
        return known.values().stream()
                .flatMap(approval -> approval.held().stream())
                .anyMatch(held -> !held.name().equals(DefinitionName.RUNS));
    }

    private static boolean hadPolicy(McpServer server) {
        return Conditions.find(server.status().conditions(), McpServer.TOOLS_APPROVED).isPresent();
    }

    /**
     * Decides again about the definitions that are held, after a user approved or rejected some, or
     * the policy changed. Needs no session.
     *
     * @return whether anything was written
     */
    boolean review(McpServerView view) throws InterruptedException {
        McpServer server = view.server();
        boolean hasPolicy = !view.policy().isEmpty();
        if (!hasPolicy && !hadPolicy(server)) {
            return false;
        }
        Map<DefinitionName, ToolApproval> known = approvals.find(server.key());
        if (!hasHeld(known) && hasPolicy == hadPolicy(server)) {
            return false;
        }
        List<ObjectNode> offered = ApprovedListing.offeredLast(view.tools(), known);
        ServerDescription stated =
                ApprovedDescription.offeredLast(ApprovedListing.served(server), known);
        ApprovedListing decided =
                hasPolicy
                        ? ApprovedListing.of(view, known, offered, stated)
                        : ApprovedListing.all(offered, stated);
        ToolPlan plan = ToolPlan.of(view, decided.definitions(), decided.withheld());
        approvals.hold(server.key(), decided.held());
        ApprovedListing approved =
                decided.with(server, approvals.offer(server.key(), OfferedFeatures.UNREAD));
        if (!writes.write(plan.writes(), () -> isCurrent(server))) {
            return true;
        }
        EventMessages.of(plan).ifPresent(note -> events.record(server, note));
        McpServer stored =
                status.write(
                        server,
                        new ObservedState.Reviewed(
                                plan, approved.description(), approved.condition()));
        return !plan.writes().isEmpty()
                || !stored.metadata().resourceVersion().equals(server.metadata().resourceVersion());
    }

    /** Reads the texts of the tools that agents get, if they are not the same as before. */
    private DefinitionReport report(McpServer server, Session session, ToolListing listing) {
        ToolSelection selection = ToolSelection.of(server.spec().offer().toolFilter());
        return DefinitionReport.of(
                listing,
                reports.examined(server.key())
                        .next(
                                selection.select(listing.tools()),
                                listing.features().offered(),
                                session.identity().instructions(),
                                caches.toolsBeside(server.key())));
    }

    /** Returns whether the server still has the manifest that is being written. */
    private boolean isCurrent(McpServer server) {
        return client.find(McpServer.KIND, server.key())
                .map(McpServer::metadata)
                .filter(now -> now.uid().equals(server.metadata().uid()))
                .filter(now -> now.generation() == server.metadata().generation())
                .filter(now -> !now.isDeleting())
                .isPresent();
    }

    /** Writes why the tools were not listed. */
    void notListed(McpServer server, McpServerView view, Session session, RuntimeException cause) {
        boolean tooLarge = cause instanceof ListingLimitException;
        failed(
                server,
                view,
                session,
                cause instanceof ListingLimitException limit
                        ? limit.limit().reason()
                        : ServerStatus.LIST_FAILED,
                tooLarge ? "The Tools from before stay" : "The tools cannot be listed",
                cause);
    }

    private boolean write(McpServer server, McpServerView view, ToolPlan plan, Session session)
            throws InterruptedException {
        try {
            return writes.write(plan.writes(), () -> isCurrent(server));
        } catch (ApiException e) {
            if (e.reason() == ErrorReason.INVALID || e.reason() == ErrorReason.FORBIDDEN) {
                throw failed(
                        server,
                        view,
                        session,
                        ServerStatus.TOOLS_REFUSED,
                        "The Tools were refused",
                        e);
            }
            throw e;
        }
    }

    private RetryException failed(
            McpServer server,
            McpServerView view,
            Session session,
            String reason,
            String what,
            RuntimeException cause) {
        String message = ConditionMessage.of(view.withoutSecrets(what + ": " + cause.getMessage()));
        reports.notListed(server.key(), session.info(), message);
        status.write(server, new ObservedState.NotSynced(session.identity(), reason, message));
        return new RetryException(message, cause);
    }
}

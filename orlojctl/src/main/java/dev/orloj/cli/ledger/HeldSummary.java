package dev.orloj.cli.ledger;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.McpServer;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.output.Text;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Says how many definitions the policies of servers hold, and which command lists them. */
public final class HeldSummary {

    /** Each server is one request. */
    private static final int MAX_SERVERS = 100;

    private static final int MAX_NAMES = 5;

    private final String namespace;
    private final List<String> servers = new ArrayList<>();
    private int held;
    private int waiting;
    private boolean isPartial;

    private HeldSummary(String namespace) {
        this.namespace = namespace;
    }

    /**
     * Returns a line for each namespace that has held definitions. A namespace whose held
     * definitions the user may not read has none.
     *
     * @param servers as orlojd lists them
     * @throws ApiException if orlojd refuses them for another reason
     */
    public static List<String> lines(Context context, List<ObjectNode> servers) {
        Map<String, HeldSummary> summaries = new TreeMap<>();
        int read = 0;
        for (ObjectNode server : servers) {
            if (!hasHeld(server)) {
                continue;
            }
            String namespace = server.at("/metadata/namespace").asString("");
            HeldSummary summary = summaries.computeIfAbsent(namespace, HeldSummary::new);
            if (read < MAX_SERVERS) {
                read++;
                summary.read(context, server.at("/metadata/name").asString(""));
            } else {
                summary.isPartial = true;
            }
        }
        return summaries.values().stream()
                .filter(summary -> summary.held > 0)
                .map(HeldSummary::line)
                .toList();
    }

    private void read(Context context, String server) {
        try {
            List<Approvals.Held> definitions =
                    Approvals.read(context, new ResourceKey(namespace, server)).held();
            if (!definitions.isEmpty()) {
                servers.add(server);
                held += definitions.size();
                waiting += (int) definitions.stream().filter(Approvals.Held::waits).count();
            }
        } catch (ApiException e) {
            boolean isDeleted = e.reason() == ErrorReason.NOT_FOUND;
            if (!isDeleted && e.reason() != ErrorReason.FORBIDDEN) {
                throw e;
            }
        }
    }

    private String line() {
        List<String> shown = servers.subList(0, Math.min(servers.size(), MAX_NAMES));
        int rest = servers.size() - shown.size();
        return Text.oneLine(
                "%s%d %s of %s%s, of which %d %s for approval; list them with: orlojctl tools pending -n %s"
                        .formatted(
                                isPartial ? "at least " : "",
                                held,
                                held == 1 ? "definition" : "definitions",
                                String.join(", ", shown),
                                rest == 0 ? "" : " and %d more".formatted(rest),
                                waiting,
                                waiting == 1 ? "waits" : "wait",
                                namespace));
    }

    /** Returns whether the status of a server says that a definition is held. */
    static boolean hasHeld(ObjectNode server) {
        for (JsonNode condition : server.at("/status/conditions")) {
            if (condition.path("type").asString("").equals(McpServer.TOOLS_APPROVED)) {
                return condition.path("status").asString("").equals("False");
            }
        }
        return false;
    }
}

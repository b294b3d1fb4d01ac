package dev.orloj.server.authorization;

import dev.orloj.api.ApiException;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.rbac.ClusterRole;
import dev.orloj.api.rbac.PolicyRule;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Writes into ClusterRoles with an aggregation rule the rules that they collect, so that a reader
 * sees them. Decisions do not wait for it.
 */
public final class AggregatedRules implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(AggregatedRules.class);
    private static final long PERIOD_MILLIS = 500;

    private final ResourceClient client;
    private final RbacAuthorizer roles;
    private final ScheduledExecutorService rounds =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("orloj-aggregation").factory());
    private long written = -1;

    public AggregatedRules(ResourceClient client, RbacAuthorizer roles) {
        this.client = client;
        this.roles = roles;
    }

    /** Follows the roles, which have been read. */
    public void start() {
        rounds.scheduleWithFixedDelay(this::round, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void round() {
        long changes = roles.changes();
        if (changes == written) {
            return;
        }
        try {
            write();
            written = changes;
        } catch (RuntimeException e) { // would end all later rounds
            log.atDebug().setCause(e).log("Aggregated rules could not be written");
        }
    }

    /** A role that changes meanwhile is written in the next round. */
    private void write() {
        List<ClusterRole> stored = roles.clusterRoles();
        Map<String, List<PolicyRule>> rules = new Aggregation(stored).rules();
        for (ClusterRole role : stored) {
            List<PolicyRule> collected = rules.getOrDefault(role.metadata().name(), List.of());
            if (role.aggregationRule() != null && !collected.equals(role.rules())) {
                update(role, collected);
            }
        }
    }

    private void update(ClusterRole role, List<PolicyRule> collected) {
        try {
            client.update(
                    ClusterRole.KIND,
                    new ClusterRole(
                            role.apiVersion(),
                            role.kind(),
                            role.metadata(),
                            role.aggregationRule(),
                            collected));
        } catch (ApiException e) {
            switch (e.reason()) {
                case CONFLICT, NOT_FOUND -> {} // its change begins another round
                default -> throw e;
            }
        }
    }

    @Override
    public void close() {
        rounds.shutdownNow();
    }
}

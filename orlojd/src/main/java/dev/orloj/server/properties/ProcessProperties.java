package dev.orloj.server.properties;

import dev.orloj.api.ByteSize;
import dev.orloj.runtime.workload.ProcessUsers;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.util.List;

/**
 * Limits for the processes of all servers together, and the accounts that they run as.
 *
 * @param max how many may run at a time; 0 for no limit
 * @param maxMemory no process is started while the running ones use more than this; 0 for no limit
 * @param user the account of the processes of all servers, or NAMESPACE=USER for those of one
 */
@ConfigurationProperties("orloj.processes")
public record ProcessProperties(
        @DefaultValue("0") int max,
        @DefaultValue("0") ByteSize maxMemory,
        @DefaultValue List<String> user) {

    public ProcessProperties {
        if (max < 0) {
            throw new IllegalArgumentException(
                    "orloj.processes.max is %d; give 0 or more".formatted(max));
        }
        user = List.copyOf(user);
        ProcessUsers.objection(user)
                .ifPresent(
                        why -> {
                            throw new IllegalArgumentException("orloj.processes.user " + why);
                        });
    }
}

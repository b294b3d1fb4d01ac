package dev.orloj.server.properties;

import dev.orloj.api.ByteSize;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits for the processes of all servers together.
 *
 * @param max how many may run at a time; 0 for no limit
 * @param maxMemory no process is started while the running ones use more than this; 0 for no limit
 */
@ConfigurationProperties("orloj.processes")
public record ProcessProperties(@DefaultValue("0") int max, @DefaultValue("0") ByteSize maxMemory) {

    public ProcessProperties {
        if (max < 0) {
            throw new IllegalArgumentException(
                    "orloj.processes.max is %d; give 0 or more".formatted(max));
        }
    }
}

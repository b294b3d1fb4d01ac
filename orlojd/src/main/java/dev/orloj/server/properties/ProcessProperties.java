package dev.orloj.server.properties;

import dev.orloj.api.ByteSize;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the processes of all servers together are held to.
 *
 * @param max how many may run at a time; 0 for any number
 * @param maxMemory no further one is started while they take more than this; 0 for any amount
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

package dev.orloj.runtime.container.spec;

import java.nio.file.Path;

/**
 * A folder of the host that a container sees.
 *
 * @param hostFolder without symbolic links
 * @param mountPath where the container has it
 */
public record HostMount(Path hostFolder, String mountPath, boolean readOnly) {}

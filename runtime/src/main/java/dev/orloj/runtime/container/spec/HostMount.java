package dev.orloj.runtime.container.spec;

import java.nio.file.Path;

/**
 * A folder of the host that is mounted into a container.
 *
 * @param hostFolder without symbolic links
 * @param mountPath the path in the container
 */
public record HostMount(Path hostFolder, String mountPath, boolean readOnly) {}

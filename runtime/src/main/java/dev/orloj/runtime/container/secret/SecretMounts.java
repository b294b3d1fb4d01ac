package dev.orloj.runtime.container.secret;

import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.MountType;

import dev.orloj.api.Frozen;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Files of the host that are mounted read-only into a container. Closing removes them. Thread-safe.
 *
 * @param files the files by their paths in the container
 */
public record SecretMounts(Path folder, Map<String, Path> files) implements AutoCloseable {

    /** The mounts of a container without secret files. */
    public static final SecretMounts NONE = new SecretMounts(Path.of(""), Map.of());

    public SecretMounts {
        files = Frozen.map(files);
    }

    public List<Mount> mounts() {
        return new TreeMap<>(files)
                .entrySet().stream()
                        .map(
                                file ->
                                        new Mount()
                                                .withType(MountType.BIND)
                                                .withSource(file.getValue().toString())
                                                .withTarget(file.getKey())
                                                .withReadOnly(true))
                        .toList();
    }

    @Override
    public void close() {
        if (!files.isEmpty()) {
            SecretFiles.delete(folder);
        }
    }
}

package dev.orloj.runtime.container;

import com.github.dockerjava.api.exception.DockerException;

import dev.orloj.runtime.container.engine.EngineConnection;
import dev.orloj.runtime.container.image.Image;
import dev.orloj.runtime.container.spec.ContainerLabels;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ContainerUser;
import dev.orloj.runtime.workload.WorkloadException;

import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Selects the user of a container. The image defines what user names mean, so names are looked up
 * in its list of users, once per image: a name must not be an alias of root. Thread-safe.
 */
final class ContainerUsers {

    private static final String LIST = "/etc/passwd";
    private static final int MAX_LIST_BYTES = 1024 * 1024;

    private record NameInImage(String imageId, String name) {}

    private final EngineConnection engine;
    private final ContainerLabels labels;
    private final Map<NameInImage, OptionalInt> known = new ConcurrentHashMap<>();

    ContainerUsers(EngineConnection engine, ContainerLabels labels) {
        this.engine = engine;
        this.labels = labels;
    }

    /**
     * Returns the requested user, or the user of the image unless that is root.
     *
     * @throws WorkloadException when the image does not define the user
     */
    ContainerUser choose(ContainerSpec spec, Image image) {
        String requested = spec.isolation().user();
        if (!requested.isEmpty()) {
            return user(requested, spec, image);
        }
        if (image.user().isBlank()) {
            return ContainerUser.UNPRIVILEGED;
        }
        ContainerUser own = user(image.user(), spec, image);
        return own.isRoot() ? ContainerUser.UNPRIVILEGED : own;
    }

    private ContainerUser user(String text, ContainerSpec spec, Image image) {
        if (ContainerUser.isNumeric(text)) {
            return ContainerUser.numeric(text);
        }
        String name = ContainerUser.name(text);
        OptionalInt uid =
                known.computeIfAbsent(
                        new NameInImage(image.id(), name),
                        key -> find(name, list(spec.owner(), image)));
        if (uid.isEmpty()) {
            throw new WorkloadException(
                    "Image \"%s\" has no user \"%s\" in its %s; give a uid in resources.user"
                            .formatted(image.name(), name, LIST));
        }
        return new ContainerUser(text, uid);
    }

    private static OptionalInt find(String name, String list) {
        return list.lines()
                .map(line -> line.split(":", -1))
                .filter(fields -> fields.length > 2 && fields[0].equals(name))
                .filter(fields -> ContainerUser.isNumeric(fields[2]))
                .mapToInt(fields -> Integer.parseInt(fields[2]))
                .findFirst();
    }

    /** Reads the list of users from a container that is never started. */
    private String list(ContainerOwner owner, Image image) {
        try {
            return engine.call(
                    "read the users of an image",
                    client -> {
                        String id =
                                client.createContainerCmd(image.id())
                                        .withLabels(labels.of(owner))
                                        .withEntrypoint("none")
                                        .exec()
                                        .getId();
                        try (InputStream archive =
                                client.copyArchiveFromContainerCmd(id, LIST).exec()) {
                            return onlyFile(archive);
                        } catch (IOException e) {
                            throw new WorkloadException(
                                    "The users of image \"%s\" could not be read: %s"
                                            .formatted(image.name(), e.getMessage()),
                                    e);
                        } finally {
                            client.removeContainerCmd(id).withRemoveVolumes(true).exec();
                        }
                    });
        } catch (DockerException e) {
            throw new WorkloadException(
                    "The users of image \"%s\" could not be read: %s"
                            .formatted(image.name(), EngineConnection.reason(e)),
                    e);
        }
    }

    private static String onlyFile(InputStream archive) throws IOException {
        TarArchiveInputStream tar = new TarArchiveInputStream(archive);
        return tar.getNextEntry() == null
                ? ""
                : new String(tar.readNBytes(MAX_LIST_BYTES), StandardCharsets.UTF_8);
    }
}

package dev.orloj.runtime.container.init;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The first process of a container, which forwards signals and reaps processes that ended. */
public sealed interface InitProcess {

    /** The path of the host's init in a container. */
    String MOUNT_PATH = "/dev/init";

    /** Names under which images contain an init. */
    Set<String> PROGRAMS =
            Set.of("tini", "tini-static", "docker-init", "catatonit", "dumb-init", "s6-svscan");

    /** The engine adds its own init. */
    record OfEngine() implements InitProcess {}

    /** The image starts an init itself. */
    record OfImage() implements InitProcess {}

    /**
     * An init of this host is mounted into the container.
     *
     * @param program statically linked, so that it runs in any image; without symbolic links
     */
    record OfHost(Path program) implements InitProcess {}

    /** The program of the container is its first process. */
    record None() implements InitProcess {}

    /**
     * Returns the possible choices, best first. The last one has no requirements.
     *
     * @param program the program that the container is to run
     * @param ofHost the init of this host; empty when the engine does not access this host
     */
    static List<InitProcess> choices(List<String> program, Optional<Path> ofHost) {
        List<InitProcess> choices = new ArrayList<>();
        choices.add(new OfEngine());
        if (!program.isEmpty() && PROGRAMS.contains(fileName(program.getFirst()))) {
            choices.add(new OfImage());
        } else {
            ofHost.map(OfHost::new).ifPresent(choices::add);
            choices.add(new None());
        }
        return List.copyOf(choices);
    }

    private static String fileName(String program) {
        return program.substring(program.lastIndexOf('/') + 1);
    }

    /**
     * Returns whether the engine refused a container because this init is missing, so that the next
     * choice may work.
     *
     * @param refusal the error message of the engine
     */
    default boolean isMissing(String refusal) {
        return switch (this) {
            // Podman until 4, Podman 5, Docker
            case OfEngine() ->
                    refusal.contains("container-init binary")
                            || refusal.contains("init binary")
                            || refusal.contains("catatonit")
                            || refusal.contains("docker-init");
            case OfHost(Path program) -> refusal.contains(program.toString());
            case OfImage(), None() -> false;
        };
    }

    /** Returns how the entrypoint of a container begins. */
    default List<String> prefix() {
        return this instanceof OfHost ? List.of(MOUNT_PATH, "--") : List.of();
    }

    /** Returns a description for logs: {@code /usr/bin/tini-static of this host}. */
    default String describe() {
        return switch (this) {
            case OfEngine() -> "the engine's own";
            case OfImage() -> "the image's own";
            case OfHost(Path program) -> program + " of this host";
            case None() -> "none";
        };
    }
}

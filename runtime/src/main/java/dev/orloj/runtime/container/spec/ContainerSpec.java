package dev.orloj.runtime.container.spec;

import dev.orloj.api.Frozen;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The specification of a container, with secrets resolved. Immutable; {@code toString} shows no
 * values and no arguments, since both may be secrets.
 *
 * @param entrypoint the program and its first arguments; empty for the entrypoint of the image
 * @param args arguments of the entrypoint; if empty, and the entrypoint is that of the image, the
 *     arguments of the image apply
 * @param env variables that are added to those of the image
 * @param trustsImage whether the declaration in the image may set the program
 * @param mounts folders of the host that are mounted into the container
 */
public record ContainerSpec(
        ContainerOwner owner,
        ImageSource image,
        List<String> entrypoint,
        List<String> args,
        Map<String, String> env,
        List<SecretFile> secretFiles,
        ContainerIsolation isolation,
        boolean trustsImage,
        List<HostMount> mounts) {

    public ContainerSpec {
        entrypoint = List.copyOf(entrypoint);
        args = List.copyOf(args);
        env = Frozen.map(env);
        secretFiles = List.copyOf(secretFiles);
        mounts = List.copyOf(mounts);
    }

    @Override
    public String toString() {
        return "ContainerSpec[owner="
                + owner
                + ", image="
                + image.name()
                + ", env="
                + new TreeMap<>(env).keySet()
                + ", secretFiles="
                + secretFiles
                + ", isolation="
                + isolation
                + ", mounts="
                + mounts
                + "]";
    }
}

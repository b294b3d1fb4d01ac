package dev.orloj.runtime.container.spec;

import dev.orloj.api.Frozen;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A container as it is wanted, secrets resolved. Immutable; {@code toString} shows no value and no
 * argument, since both may be secrets.
 *
 * @param entrypoint the program and its first arguments; empty for the one of the image
 * @param args given to the entrypoint; empty, with the entrypoint of the image, for those of the
 *     image
 * @param env added to what the image defines
 * @param trustsImage whether the declaration in the image may say what is run
 * @param mounts folders of the host that it sees
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

package dev.orloj.runtime.pod;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ImageSource;
import dev.orloj.runtime.container.spec.RegistryCredential;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The Secret of one Pod: the values of its variables, its files, and the credential of its
 * registry. The Pod owns it, so the cluster deletes both together.
 */
final class PodSecret {

    private PodSecret() {}

    /** Returns the key of a variable. Names of variables are not always valid keys. */
    static String variable(int index) {
        return "env." + index;
    }

    static String file(int index) {
        return "file." + index;
    }

    static boolean isNeeded(ContainerSpec spec) {
        return !spec.env().isEmpty()
                || !spec.secretFiles().isEmpty()
                || spec.image().credential().isPresent();
    }

    /**
     * @param name name of the Pod, and of the Secret
     * @param uid uid of the Pod
     */
    static Map<String, Object> of(String name, String uid, ContainerSpec spec) {
        Map<String, String> data = new LinkedHashMap<>();
        int index = 0;
        for (String value : spec.env().values()) {
            data.put(variable(index++), base64(value));
        }
        for (int i = 0; i < spec.secretFiles().size(); i++) {
            data.put(file(i), spec.secretFiles().get(i).encoded());
        }
        spec.image()
                .credential()
                .ifPresent(
                        credential ->
                                data.put(
                                        ".dockerconfigjson",
                                        base64(dockerConfig(spec.image(), credential))));
        return Map.of(
                "apiVersion",
                "v1",
                "kind",
                "Secret",
                "metadata",
                Map.of(
                        "name",
                        name,
                        "ownerReferences",
                        List.of(
                                Map.of(
                                        "apiVersion",
                                        "v1",
                                        "kind",
                                        "Pod",
                                        "name",
                                        name,
                                        "uid",
                                        uid))),
                "type",
                spec.image().credential().isPresent() ? "kubernetes.io/dockerconfigjson" : "Opaque",
                "immutable",
                true,
                "data",
                data);
    }

    private static String dockerConfig(ImageSource image, RegistryCredential credential) {
        String registry =
                image.registry().equals(ImageSource.DOCKER_HUB)
                        ? "https://index.docker.io/v1/"
                        : image.registry();
        String login = credential.username() + ":" + credential.password();
        return Json.MAPPER.writeValueAsString(
                Map.of("auths", Map.of(registry, Map.of("auth", base64(login)))));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}

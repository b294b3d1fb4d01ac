package dev.orloj.runtime.pod;

import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.pod.PodTemplate;
import dev.orloj.runtime.container.spec.ContainerLabels;
import dev.orloj.runtime.container.spec.ContainerSpec;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;

import javax.crypto.Mac;
import javax.crypto.SecretKey;

/**
 * Marks Pods with the definition that they were started from, so that no session of another
 * definition gets them. A mark contains values of secrets, so it is made with a key, and with the
 * name of the Pod, so that its copy on another Pod is worth nothing. Thread-safe.
 */
final class PodMarks {

    static final String DEFINITION = "orloj.dev/definition";
    static final String CONNECTIONS = "orloj.dev/connections";

    private static final String ALGORITHM = "HmacSHA256";
    private static final int MAX_DIGITS = 9;

    private final SecretKey key;
    private final String run = UUID.randomUUID().toString();

    /**
     * @param key the same at all replicas and in all runs
     */
    PodMarks(SecretKey key) {
        this.key = key;
    }

    /**
     * Returns the digest of everything that a session and its Pod are made of.
     *
     * @param terms what the session depends on beside the Pod
     */
    static String definition(ContainerSpec spec, PodTemplate template, String terms) {
        Map<String, Object> definition =
                Map.of(
                        "pod",
                        new PodManifest("", spec, template, "", Map.of(), Map.of()).pod(),
                        "secret",
                        PodSecret.of("", "", spec),
                        "terms",
                        terms);
        return CanonicalJson.digest(Json.MAPPER.valueToTree(definition));
    }

    /** Returns the annotations of a Pod that this run of orlojd creates. */
    Map<String, String> ofNew(String pod, String definition) {
        return Map.of(DEFINITION, mark(pod, definition), ContainerLabels.INSTANCE, run);
    }

    /** Returns the annotations that change when this run of orlojd takes over a Pod. */
    Map<String, String> ofAdopted(JsonNode pod) {
        return Map.of(
                ContainerLabels.INSTANCE, run, CONNECTIONS, Integer.toString(connections(pod) + 1));
    }

    /** Returns the number of connections that the Pod had before the latest one. */
    static int connections(JsonNode pod) {
        String text = annotation(pod, CONNECTIONS);
        return text.matches("[0-9]{1,%d}".formatted(MAX_DIGITS)) ? Integer.parseInt(text) : 0;
    }

    /** Returns whether the Pod was started from this definition. */
    boolean hasDefinition(JsonNode pod, String definition) {
        String name = pod.at("/metadata/name").asString("");
        return MessageDigest.isEqual(
                bytes(annotation(pod, DEFINITION)), bytes(mark(name, definition)));
    }

    /** Returns whether an earlier run of orlojd has left the Pod to be adopted. */
    boolean isOfEarlierRun(JsonNode pod) {
        return !annotation(pod, DEFINITION).isEmpty()
                && !annotation(pod, ContainerLabels.INSTANCE).equals(run);
    }

    private static String annotation(JsonNode pod, String name) {
        return pod.path("metadata").path("annotations").path(name).asString("");
    }

    private String mark(String pod, String definition) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return HexFormat.of().formatHex(mac.doFinal(bytes(pod + "\n" + definition)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the key is of no use for " + ALGORITHM, e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

package dev.orloj.runtime.container.image;

import dev.orloj.api.Frozen;
import dev.orloj.api.codec.DocumentReader;
import dev.orloj.api.codec.MalformedDocumentException;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.workload.WorkloadException;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The declaration that an image carries in the label {@value #LABEL}, in YAML: defaults for fields
 * that a manifest omits. A field of the manifest replaces the whole field of the declaration. There
 * are no fields for mounts, privileges or networks, and the program applies only if the manifest
 * trusts the image. Immutable.
 */
public record ImageDeclaration(Map<String, String> env, List<String> command, List<String> args) {

    /** The label of the image that holds the declaration. */
    public static final String LABEL = "dev.orloj.mcp";

    private static final Set<String> FIELDS = Set.of("env", "command", "args");

    public ImageDeclaration {
        env = Frozen.map(env);
        command = List.copyOf(command);
        args = List.copyOf(args);
    }

    /**
     * @throws WorkloadException when the label does not hold a declaration
     */
    public static ImageDeclaration of(Image image) {
        String text = image.labels().getOrDefault(LABEL, "");
        if (text.isBlank()) {
            return new ImageDeclaration(Map.of(), List.of(), List.of());
        }
        try {
            ObjectNode root = DocumentReader.readYaml(text.getBytes(StandardCharsets.UTF_8)).root();
            for (String field : root.propertyNames()) {
                if (!FIELDS.contains(field)) {
                    throw broken(image, "field \"%s\" is none of env, command, args", field);
                }
            }
            return new ImageDeclaration(
                    env(image, root.path("env")),
                    texts(image, "command", root.path("command")),
                    texts(image, "args", root.path("args")));
        } catch (MalformedDocumentException e) {
            throw broken(image, "%s", String.valueOf(e.getMessage()));
        }
    }

    private static Map<String, String> env(Image image, JsonNode field) {
        Map<String, String> env = new TreeMap<>();
        for (Map.Entry<String, JsonNode> variable : field.properties()) {
            env.put(
                    variable.getKey(),
                    text(image, "env." + variable.getKey(), variable.getValue()));
        }
        if (!field.isObject() && !field.isMissingNode()) {
            throw broken(image, "field \"%s\" must be a map of texts", "env");
        }
        return env;
    }

    private static List<String> texts(Image image, String name, JsonNode field) {
        if (!field.isArray() && !field.isMissingNode()) {
            throw broken(image, "field \"%s\" must be a list of texts", name);
        }
        List<String> texts = new ArrayList<>();
        for (JsonNode item : field) {
            texts.add(text(image, name, item));
        }
        return texts;
    }

    private static String text(Image image, String name, JsonNode value) {
        if (!value.isString()) {
            throw broken(image, "field \"%s\" must hold text", name);
        }
        return value.asString();
    }

    private static WorkloadException broken(Image image, String why, Object... details) {
        return new WorkloadException(
                "Label \"%s\" of image \"%s\" cannot be used: %s"
                        .formatted(LABEL, image.name(), why.formatted(details)));
    }

    /** Returns whether the program of the declaration applies, given what the manifest sets. */
    public boolean givesProgram(boolean manifestDoes, boolean trusted) {
        return trusted && !manifestDoes && !(command.isEmpty() && args.isEmpty());
    }

    /** Returns whether the variables of the declaration apply, given what the manifest sets. */
    public boolean givesEnv(boolean manifestDoes) {
        return !manifestDoes && !env.isEmpty();
    }

    /** Returns the specification completed with the declaration. */
    public ContainerSpec complete(ContainerSpec spec) {
        boolean ownProgram = !spec.entrypoint().isEmpty() || !spec.args().isEmpty();
        boolean take = givesProgram(ownProgram, spec.trustsImage());
        return new ContainerSpec(
                spec.owner(),
                spec.image(),
                take ? command : spec.entrypoint(),
                take ? args : spec.args(),
                givesEnv(!spec.env().isEmpty()) ? env : spec.env(),
                spec.secretFiles(),
                spec.isolation(),
                spec.trustsImage(),
                spec.mounts());
    }
}

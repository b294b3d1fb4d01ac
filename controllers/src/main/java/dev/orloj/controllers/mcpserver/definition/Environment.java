package dev.orloj.controllers.mcpserver.definition;

import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerSpec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The environment variables that a manifest sets for a process. The sources in {@code env_from}
 * apply in order, later ones override earlier ones, and {@code env} overrides all of them.
 *
 * @param notes what was left out and why, one sentence each; contains no values
 */
record Environment(Map<String, String> variables, List<String> notes) {

    /** The variable names that Kubernetes accepts. */
    private static final Pattern NAME = Pattern.compile("[-._a-zA-Z][-._a-zA-Z0-9]*");

    static Environment of(McpServerSpec.Program program, ReferencedValues values) {
        Map<String, String> variables = new LinkedHashMap<>();
        List<String> notes = new ArrayList<>();
        for (McpServer.EnvSource source : program.envFrom()) {
            int place = program.envFrom().indexOf(source);
            if (source.configMapRef() != null) {
                values.at("spec.env_from[%d].configMapRef", place);
                String from = "ConfigMap \"%s\"".formatted(source.configMapRef().name());
                put(source, from, values.allOfConfigMap(source.configMapRef()), variables, notes);
            } else if (source.secretRef() != null) {
                values.at("spec.env_from[%d].secretRef", place);
                String from = "Secret \"%s\"".formatted(source.secretRef().name());
                put(source, from, values.allOfSecret(source.secretRef()), variables, notes);
            }
        }
        for (McpServer.EnvVar variable : program.env()) {
            values.at("spec.env[%d].secretRef", program.env().indexOf(variable));
            variables.put(variable.name(), value(variable, values));
        }
        return new Environment(variables, notes);
    }

    /**
     * Returns the value of a variable. For a secret in a file, the value is the path of the file.
     */
    static String value(McpServer.EnvVar variable, ReferencedValues values) {
        if (!variable.mountPath().isEmpty()) {
            return variable.mountPath();
        }
        if (!variable.secretRef().isEmpty()) {
            return values.text(variable.secretRef());
        }
        return variable.value() == null ? "" : variable.value();
    }

    private static void put(
            McpServer.EnvSource source,
            String from,
            Map<String, String> values,
            Map<String, String> variables,
            List<String> notes) {
        List<String> skipped = new ArrayList<>();
        values.forEach(
                (key, value) -> {
                    String name = source.prefix() + key;
                    if (NAME.matcher(name).matches() && value.indexOf('\0') < 0) {
                        variables.put(name, value);
                    } else {
                        skipped.add(key);
                    }
                });
        if (!skipped.isEmpty()) {
            notes.add(
                    "Keys of %s are no names of variables and were skipped: %s"
                            .formatted(from, String.join(", ", skipped)));
        }
    }
}

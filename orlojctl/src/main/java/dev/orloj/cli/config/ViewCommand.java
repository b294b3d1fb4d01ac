package dev.orloj.cli.config;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.Format;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.kubeconfig.Kubeconfig;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Optional;

/** Shows the merged kubeconfig, without what is secret in it. */
final class ViewCommand extends KubeconfigCommand {

    private static final List<String> SECRETS = List.of("token", "password");

    private final Flag minify = flag("Only what the current context uses.", "--minify");
    private final Flag raw = flag("Also tokens, keys and certificates.", "--raw");
    private final TextOption output =
            text("FORMAT", "yaml or json. Default: yaml.", "-o", "--output");

    ViewCommand() {
        super("Show the configuration, without secrets.", "orlojctl config view --minify");
    }

    @Override
    int run(Context context, Kubeconfig config) {
        Format format = Format.parse(output.orElse("yaml"), List.of(Format.YAML, Format.JSON));
        ObjectNode merged =
                Json.MAPPER.createObjectNode().put("apiVersion", "v1").put("kind", "Config");
        Optional<JsonNode> current =
                config.entry("contexts", config.currentContext()).map(Kubeconfig.Entry::content);
        add(merged, config, "clusters", current.map(c -> c.path("cluster").asString("")));
        add(merged, config, "contexts", Optional.of(config.currentContext()));
        merged.put("current-context", config.currentContext());
        add(merged, config, "users", current.map(c -> c.path("user").asString("")));
        context.out().print(format.write(merged));
        return ExitCode.OK;
    }

    private void add(ObjectNode merged, Kubeconfig config, String list, Optional<String> used) {
        ArrayNode entries = merged.putArray(list);
        String singular = list.substring(0, list.length() - 1);
        for (String name : config.names(list)) {
            if (!minify.isSet() || used.filter(name::equals).isPresent()) {
                JsonNode content = config.entry(list, name).orElseThrow().content().deepCopy();
                entries.addObject().put("name", name).set(singular, shown(content));
            }
        }
    }

    private JsonNode shown(JsonNode content) {
        if (!raw.isSet() && content instanceof ObjectNode object) {
            for (String field : List.copyOf(object.propertyNames())) {
                if (SECRETS.contains(field)) {
                    object.put(field, "REDACTED");
                } else if (field.endsWith("-data")) {
                    object.put(field, "DATA+OMITTED");
                }
            }
        }
        return content;
    }
}

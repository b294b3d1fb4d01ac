package dev.orloj.cli.importing;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A {@code server.json} of the MCP registry: packages that can be run, and remote addresses. */
public final class RegistryServer {

    private RegistryServer() {}

    /**
     * What the user chose.
     *
     * @param kind npm, pypi, oci, nuget or remote; empty for the first that Orloj runs
     * @param values of variables, arguments and headers, by name
     * @param ask returns the user's answer, or empty without a terminal
     */
    public record Choices(
            Optional<String> kind,
            Function<String, Optional<String>> values,
            Function<Surroundings.Input, Optional<String>> ask) {

        static Choices in(Surroundings surroundings) {
            return new Choices(
                    Optional.empty(), surroundings.variables()::find, surroundings.ask());
        }
    }

    /** Returns whether a document is a {@code server.json}, alone or as the registry returns it. */
    public static boolean isServer(JsonNode root) {
        JsonNode server = unwrap(root);
        return server.path("name").asString("").contains("/")
                && (server.path("packages").isArray() || server.path("remotes").isArray());
    }

    private static JsonNode unwrap(JsonNode root) {
        return root.path("server").isObject() ? root.path("server") : root;
    }

    /**
     * Returns the server with the package or address that was chosen.
     *
     * @throws EntryException when there is none that Orloj runs, or a value is missing
     */
    public static ConfiguredServer read(ObjectNode root, Choices choices) {
        JsonNode server = unwrap(root);
        String name = server.path("name").asString("");
        String shortName = name.substring(name.lastIndexOf('/') + 1);
        List<String> offered = new ArrayList<>();
        for (JsonNode item : server.path("packages")) {
            String kind =
                    item.path("registryType").asString(item.path("registry_name").asString(""));
            offered.add(kind);
            boolean isStdio = item.at("/transport/type").asString("stdio").equals("stdio");
            boolean runs = List.of("npm", "pypi", "oci", "nuget").contains(kind) && isStdio;
            if (runs && choices.kind().map(kind::equals).orElse(true)) {
                return ConfiguredServer.of(
                        shortName, launch(kind, item, new RegistryInputs(choices)));
            }
        }
        for (JsonNode remote : server.path("remotes")) {
            offered.add("remote");
            if (choices.kind().map("remote"::equals).orElse(true)) {
                return ConfiguredServer.of(shortName, remote(remote, new RegistryInputs(choices)));
            }
        }
        throw new EntryException(
                "packages of %s: %s; Orloj runs npm, pypi, oci and nuget over stdio, and remote addresses"
                        .formatted(name, offered.isEmpty() ? "none" : String.join(", ", offered)));
    }

    private static Launch launch(String kind, JsonNode item, RegistryInputs inputs) {
        String id = item.path("identifier").asString(item.path("name").asString(""));
        if (id.isBlank() || id.startsWith("-")) {
            throw new EntryException("packages[].identifier \"%s\" is no package".formatted(id));
        }
        String version = item.path("version").asString("");
        List<String> runtime = inputs.arguments(item.path("runtimeArguments"), "runtimeArguments");
        List<String> own = inputs.arguments(item.path("packageArguments"), "packageArguments");
        List<ImportedSetting> env = inputs.settings(item.path("environmentVariables"));
        if (kind.equals("oci")) {
            boolean isTagged = id.contains("@") || id.lastIndexOf(':') > id.lastIndexOf('/');
            String image = isTagged || version.isEmpty() ? id : id + ":" + version;
            return new Launch.Image(image, own, env);
        }
        List<String> args = new ArrayList<>(runtime);
        String program =
                switch (kind) {
                    case "npm" -> {
                        if (!args.contains("-y")) {
                            args.addFirst("-y");
                        }
                        args.add(version.isEmpty() ? id : id + "@" + version);
                        yield "npx";
                    }
                    case "pypi" -> {
                        args.add(version.isEmpty() ? id : id + "==" + version);
                        yield "uvx";
                    }
                    default -> {
                        args.add(version.isEmpty() ? id : id + "@" + version);
                        if (!args.contains("--yes")) {
                            args.add("--yes");
                        }
                        yield "dnx";
                    }
                };
        args.addAll(own);
        return new Launch.Program(program, args, env, "");
    }

    private static Launch remote(JsonNode remote, RegistryInputs inputs) {
        String url = inputs.template(remote.path("url").asString(""), remote.path("variables"));
        return new Launch.Endpoint(
                url,
                remote.path("type").asString("").equals("sse"),
                inputs.settings(remote.path("headers")));
    }
}

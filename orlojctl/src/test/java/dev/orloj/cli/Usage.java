package dev.orloj.cli;

import dev.orloj.cli.testing.SmallBackup;

import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A command, and how a careless user runs it. A verb that has no line here fails {@link UsageTest}.
 *
 * @param command the verb, and the one below it
 * @param bare what is missing without arguments; empty where nothing is
 * @param full as many arguments as it takes; empty where it takes any number
 * @param working arguments with which it asks the server; a name that does not exist is {@code
 *     githup}; empty where it needs no server
 */
record Usage(String command, String bare, String full, String working) {

    static final List<Usage> ALL =
            List.of(
                    new Usage("apply", "-f FILE", "-f x.yaml", "-f -"),
                    new Usage("get", "get needs KIND", "", "mcp githup"),
                    new Usage("edit", "edit needs KIND/NAME..., such as", "", "mcp githup"),
                    new Usage("diff", "-f FILE", "-f x.yaml", "-f -"),
                    new Usage("patch", "-p PATCH", "", "mcp githup -p {}"),
                    new Usage("label", "KIND NAME KEY=VALUE", "", "mcp githup a=b"),
                    new Usage("annotate", "KIND NAME KEY=VALUE", "", "mcp githup a=b"),
                    new Usage("scale", "--replicas=0", "", "mcp/githup --replicas=0"),
                    new Usage("suspend", "suspend needs KIND/NAME..., such as", "", "mcp/githup"),
                    new Usage("resume", "resume needs KIND/NAME..., such as", "", "mcp/githup"),
                    new Usage("rollout", "rollout needs a command:", "", ""),
                    new Usage("rollout status", "KIND/NAME...", "", "mcp/githup --watch=false"),
                    new Usage("rollout history", "KIND/NAME...", "", "mcp/githup"),
                    new Usage("rollout undo", "apply the manifest", "", ""),
                    new Usage("rollout pause", "orlojctl suspend", "", ""),
                    new Usage("rollout resume", "orlojctl resume", "", ""),
                    new Usage("rollout restart", "orlojctl restart", "", ""),
                    new Usage("explain", "KIND", "mcp", ""),
                    new Usage("schema", "", "mcp", ""),
                    new Usage("api-resources", "", "-o name", "-o name"),
                    new Usage("init", "NAME", "", ""),
                    new Usage("status", "", "-A", "-A"),
                    new Usage("describe", "describe needs KIND", "", "mcp githup"),
                    new Usage("delete", "delete needs KIND/NAME..., such as", "", "mcp githup"),
                    new Usage(
                            "wait",
                            "--for condition=Ready",
                            "",
                            "mcp/githup --for condition=Ready --timeout 0"),
                    new Usage("restart", "KIND/NAME...", "", "mcp/githup"),
                    new Usage("call", "TOOL", "a--b", "githup--echo"),
                    new Usage("mcp", "", "", ""),
                    new Usage("mcp serve", "", "", ""),
                    new Usage("mcp add", "NAME [-- COMMAND [ARG...]]", "", "a --url http://a/mcp"),
                    new Usage("mcp list", "", "", "githup"),
                    new Usage("mcp status", "", "", "githup"),
                    new Usage("mcp start", "SERVER...", "", "githup"),
                    new Usage("mcp stop", "SERVER...", "", "githup"),
                    new Usage("mcp restart", "SERVER...", "", "githup"),
                    new Usage("mcp logs", "SERVER", "a", "githup"),
                    new Usage("mcp remove", "SERVER...", "", "githup"),
                    new Usage("mcp show-merged", "SERVER or -f FILE", "a", "githup"),
                    new Usage("client-config", "CLIENT", "cursor", ""),
                    new Usage("import", "FILE... or --discover", "", ""),
                    new Usage("client", "client needs a command:", "", ""),
                    new Usage("client restore", "", "", ""),
                    new Usage("logs", "SERVER", "a", "githup"),
                    new Usage("top", "", "a", "-A"),
                    new Usage("trace", "CALL or --last", "a", "--last"),
                    new Usage("events", "", "", "-A"),
                    new Usage("create", "create needs a command:", "", ""),
                    new Usage(
                            "create secret",
                            "NAME",
                            "a --from-literal a=b",
                            "a --from-literal a=b"),
                    new Usage("create namespace", "NAME", "a", "a"),
                    new Usage("create token", "SERVICEACCOUNT or --user USER", "a", "a"),
                    new Usage("audit", "", "", "-n x"),
                    new Usage("audit export", "", "-n x", "-n x"),
                    new Usage("audit checkpoint", "", "-n x", "-n x"),
                    new Usage("audit verify", "", "a", "-n x"),
                    new Usage("admin", "admin needs a command:", "", ""),
                    new Usage("admin backup", "FILE", "a", "-"),
                    new Usage("admin restore", "FILE", "a", SmallBackup.file()),
                    new Usage("admin keys", "", "-n x", "-n x"),
                    new Usage("admin rotate-keys", "", "-n x", "--no-wait"),
                    new Usage("token", "token needs a command:", "", ""),
                    new Usage("token list", "", "-n x", "-n x"),
                    new Usage("token revoke", "NAME...", "", "a"),
                    new Usage("auth", "auth needs a command:", "", ""),
                    new Usage("auth login", "SERVER", "a", "githup"),
                    new Usage("auth logout", "SERVER", "a", "githup"),
                    new Usage("auth status", "", "", "githup"),
                    new Usage("tools", "tools needs a command:", "", ""),
                    new Usage(
                            "tools history",
                            "SERVER|TOOL [DEFINITION]",
                            "a prompt/b",
                            "mcp/githup"),
                    new Usage("tools diff", "TOOL [PART] [FROM TO]", "a 1 2", "githup--a"),
                    new Usage("tools blame", "TOOL", "a", "githup--a"),
                    new Usage("tools at", "TIME SERVER", "1 a", "1 githup"),
                    new Usage("tools verify", "", "a", "githup"),
                    new Usage("tools checkpoint", "", "-A", "-A"),
                    new Usage("tools pending", "", "a", "githup"),
                    new Usage("tools approve", "SERVER TOOL...", "", "githup --all"),
                    new Usage("tools reject", "SERVER TOOL...", "", "githup --all"),
                    new Usage("tools pin", "SERVER", "a", "githup"),
                    new Usage("validate", "-f FILE", "-f x.yaml", ""),
                    new Usage("check", "-f FILE, SERVER... or --all", "", "githup"),
                    new Usage("config", "config needs a command:", "", ""),
                    new Usage("config current-context", "", "-n x", ""),
                    new Usage("config get-contexts", "", "a", ""),
                    new Usage("config use-context", "NAME", "a", ""),
                    new Usage("config set-context", "NAME or --current", "a", ""),
                    new Usage("config set-cluster", "NAME", "a", ""),
                    new Usage("config set-credentials", "NAME", "a", ""),
                    new Usage("config delete-context", "NAME", "a", ""),
                    new Usage("config import", "HOST", "a", ""),
                    new Usage("config view", "", "-n x", ""),
                    new Usage("health", "", "-n x", "-n x"),
                    new Usage("version", "", "--client", "-n x"),
                    new Usage("completion", "SHELL", "bash", ""),
                    new Usage("replay", "CALL", "a", ""),
                    new Usage("__complete", "", "", ""),
                    new Usage("train", "", "-n x", ""));

    static final String MISSING = "githup";

    private static final List<String> WAITING =
            List.of("--wait", "--watch", "--follow", "--timeout");

    @Override
    public String toString() {
        return command;
    }

    String[] with(String more) {
        return Stream.of(command.split(" "), more.split(" "))
                .flatMap(Stream::of)
                .filter(word -> !word.isEmpty())
                .toArray(String[]::new);
    }

    /** The exit code of a failure: 1 of diff means that there are differences. */
    int failure() {
        return command.equals("diff") ? 2 : 1;
    }

    boolean asksTheServer() {
        return !working.isEmpty();
    }

    boolean namesWhatIsMissing() {
        return working.contains(MISSING);
    }

    /** Whether the command takes a kind. Derived, so that no new command is forgotten. */
    boolean takesKind() {
        return labels().anyMatch(label -> label.contains("KIND")) && !isRefused();
    }

    /** Whether the command takes names of McpServers. */
    boolean takesServers() {
        return labels().anyMatch(label -> label.contains("SERVER"));
    }

    /** Whether the command reads manifests. */
    boolean readsManifests() {
        return spec().optionsMap().containsKey("--kustomize");
    }

    /** The options of the command that have to do with waiting. */
    Set<String> waitingOptions() {
        return WAITING.stream()
                .filter(spec().optionsMap()::containsKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether the command is there only to say what to use in its place. */
    private boolean isRefused() {
        return spec().userObject().getClass().getSimpleName().equals("RefusedCommand");
    }

    /** A line that the command understands. */
    String understood() {
        return working.isEmpty() ? full : working;
    }

    private Stream<String> labels() {
        return spec().positionalParameters().stream().map(ArgSpec::paramLabel);
    }

    private CommandSpec spec() {
        String[] words = command.split(" ");
        CommandSpec spec =
                Verb.ALL.stream()
                        .filter(verb -> verb.name().equals(words[0]))
                        .findFirst()
                        .orElseThrow()
                        .build()
                        .get()
                        .spec();
        for (String word : List.of(words).subList(1, words.length)) {
            spec = spec.subcommands().get(word).getCommandSpec();
        }
        return spec;
    }

    /** The names of all commands that the program has. */
    static List<String> commands() {
        List<String> all = new ArrayList<>();
        Verb.ALL.forEach(verb -> collect(verb.name(), verb.build().get().spec(), all));
        return all;
    }

    private static void collect(String name, CommandSpec spec, List<String> all) {
        all.add(name);
        spec.subcommands()
                .forEach((below, line) -> collect(name + " " + below, line.getCommandSpec(), all));
    }
}

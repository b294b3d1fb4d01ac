package dev.orloj.api.policy;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Validates an McpServerPolicy. A rule that could be misread is an error, not a wide rule. */
final class PolicyValidation {

    private static final Pattern COMMAND = Pattern.compile("[^\\s\\p{Cntrl}]+");
    private static final Pattern PACKAGE =
            Pattern.compile("(?:@[A-Za-z0-9*._-]+/)?[A-Za-z0-9*][A-Za-z0-9*._-]*(?:@[^\\s@/:*]+)?");
    private static final Pattern IMAGE = Pattern.compile("[A-Za-z0-9*._:/@-]+");
    private static final Pattern HOST =
            Pattern.compile("(?:\\*\\.)?[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*|\\[[0-9A-Fa-f:.]+]");

    private static final Pattern VARIABLE = Pattern.compile("[^=\\s\\p{Cntrl}]+");

    private final List<FieldError> errors = new ArrayList<>();

    static List<FieldError> validate(McpServerPolicy policy) {
        PolicyValidation validation = new PolicyValidation();
        validation.check(policy.spec(), FieldPath.of("spec"));
        return validation.errors;
    }

    private void check(McpServerPolicy.Spec spec, FieldPath path) {
        if (spec.hosting() == null
                && spec.engine() == null
                && spec.commands() == null
                && spec.images() == null
                && spec.endpoints() == null
                && spec.env() == null
                && spec.mounts() == null
                && spec.network() == null
                && spec.ceilings() == null) {
            errors.add(
                    FieldError.required(
                            path,
                            "give at least one of hosting, engine, commands, images, endpoints,"
                                    + " env, mounts, network and ceilings"));
        }
        checkSelector(spec.namespaceSelector(), path.child("namespace_selector"));
        requireItems(spec.hosting(), path.child("hosting"), "a way to run servers");
        checkEngine(spec.engine(), spec.hosting(), path.child("engine"));
        List<CommandRule> commands = spec.commands();
        requireItems(commands, path.child("commands"), "a command");
        for (int i = 0; commands != null && i < commands.size(); i++) {
            check(commands.get(i), path.child("commands").index(i));
        }
        if (spec.images() != null) {
            check(spec.images(), path.child("images"));
        }
        if (spec.endpoints() != null) {
            checkHosts(spec.endpoints().hosts(), path.child("endpoints").child("hosts"));
        }
        if (spec.env() != null) {
            check(spec.env(), path.child("env"));
        }
        if (spec.mounts() != null) {
            check(spec.mounts(), path.child("mounts"));
        }
        if (spec.network() != null) {
            check(spec.network(), path.child("network"));
        }
        if (spec.ceilings() != null && spec.ceilings().isEmpty()) {
            errors.add(
                    FieldError.required(
                            path.child("ceilings"),
                            "give at least one of memory, cpus, pids_limit, tmp_size and"
                                    + " max_sessions"));
        }
    }

    private void checkSelector(@Nullable NamespaceSelector selector, FieldPath path) {
        List<NamespaceSelector.Expression> expressions =
                selector == null ? List.of() : selector.matchExpressions();
        for (int i = 0; i < expressions.size(); i++) {
            NamespaceSelector.Expression expression = expressions.get(i);
            FieldPath values = path.child("matchExpressions").index(i).child("values");
            if (expression.takesValues() && expression.values().isEmpty()) {
                errors.add(
                        FieldError.required(
                                values, "must be specified when operator is In or NotIn"));
            } else if (!expression.takesValues() && !expression.values().isEmpty()) {
                errors.add(
                        FieldError.forbidden(
                                values,
                                "may not be specified when operator is Exists or DoesNotExist"));
            }
        }
    }

    private void checkEngine(@Nullable Engine engine, @Nullable List<Way> ways, FieldPath path) {
        List<Way> local =
                ways == null ? List.of() : ways.stream().filter(way -> way != Way.HTTP).toList();
        if (engine != null && !local.isEmpty() && local.stream().noneMatch(engine::runs)) {
            errors.add(
                    FieldError.invalid(
                            path,
                            engine.text(),
                            "runs servers in none of the ways that hosting allows: "
                                    + local.stream()
                                            .map(Way::text)
                                            .collect(Collectors.joining(", "))));
        }
    }

    private void check(CommandRule rule, FieldPath path) {
        requirePattern(
                List.of(rule.command()),
                path.child("command"),
                COMMAND,
                "give one word, without arguments");
        List<String> packages = rule.packages();
        if (packages == null) {
            return;
        }
        FieldPath at = path.child("packages");
        requireItems(packages, at, "a package; leave the field out to allow all");
        requirePattern(packages, at, PACKAGE, "give the name of a package, or name@version");
        if (!PackageRun.isRunner(rule.command())) {
            errors.add(
                    FieldError.forbidden(
                            at,
                            "only the packages of these commands can be limited: "
                                    + PackageRun.runners()));
        }
    }

    private void check(ImageRule rule, FieldPath path) {
        if (rule.references() == null && !Boolean.TRUE.equals(rule.requireDigest())) {
            errors.add(FieldError.required(path, "give references or require_digest: true"));
        }
        List<String> references = rule.references();
        FieldPath at = path.child("references");
        requireItems(references, at, "a pattern for images");
        if (references != null) {
            requirePattern(
                    references, at, IMAGE, "give registry/name; * stands for any text but /");
            for (String reference : references) {
                if (reference.startsWith("*")) {
                    errors.add(
                            FieldError.invalid(
                                    at, reference, "begin with a registry, such as docker.io/"));
                }
            }
        }
    }

    private void check(VariableRule rule, FieldPath path) {
        if (rule.names() == null && rule.deniedNames() == null) {
            errors.add(FieldError.required(path, "give names or denied_names"));
        }
        checkNames(rule.names(), path.child("names"));
        checkNames(rule.deniedNames(), path.child("denied_names"));
    }

    private void checkNames(@Nullable List<String> names, FieldPath path) {
        requireItems(names, path, "a variable");
        if (names != null) {
            requirePattern(names, path, VARIABLE, "give the name of a variable, or a pattern");
        }
    }

    private void checkHosts(@Nullable List<String> hosts, FieldPath path) {
        requireItems(hosts, path, "a host");
        if (hosts != null) {
            requirePattern(hosts, path, HOST, "give a host name, or *.domain");
        }
    }

    private void check(MountRule rule, FieldPath path) {
        List<String> folders = rule.hostPaths();
        if (folders == null && !rule.requiresReadOnly()) {
            errors.add(FieldError.required(path, "give host_paths or read_only: true"));
        }
        FieldPath at = path.child("host_paths");
        requireItems(folders, at, "a pattern for folders");
        for (int i = 0; folders != null && i < folders.size(); i++) {
            if (folders.get(i).equals("/") || !PathGlob.isPlain(folders.get(i))) {
                errors.add(
                        FieldError.invalid(
                                at.index(i),
                                folders.get(i),
                                "give an absolute path below /, without . and .., and without / at"
                                    + " its end; * stands for any text but /, ** for any text"));
            }
        }
    }

    private void check(NetworkRule rule, FieldPath path) {
        if (rule.modes() == null && rule.hosts() == null) {
            errors.add(FieldError.required(path, "give modes or hosts"));
        }
        requireItems(rule.modes(), path.child("modes"), "a mode");
        checkHosts(rule.hosts(), path.child("hosts"));
    }

    private void requireItems(@Nullable List<?> items, FieldPath path, String what) {
        if (items != null && items.isEmpty()) {
            errors.add(FieldError.required(path, "give " + what));
        }
    }

    private void requirePattern(
            List<String> values, FieldPath path, Pattern pattern, String remedy) {
        for (String value : values) {
            if (!pattern.matcher(value).matches()) {
                errors.add(FieldError.invalid(path, value, remedy));
            }
        }
    }
}

package dev.orloj.api.rbac;

import dev.orloj.api.codec.Column;

import tools.jackson.databind.node.ObjectNode;

import java.util.function.Function;
import java.util.stream.Collectors;

/** The columns of roles and bindings, which are those of Kubernetes. */
final class RbacColumns {

    private RbacColumns() {}

    static Column[] role() {
        return new Column[] {
            Column.text("Name", "Unique within the namespace", Column.at("/metadata/name")),
            Column.text(
                    "Created At",
                    "When the role was created",
                    Column.at("/metadata/creationTimestamp"))
        };
    }

    static Column[] binding() {
        return new Column[] {
            Column.text("Role", "The role that is granted", RbacColumns::roleRef)
                    .near(".roleRef.name"),
            Column.text("Users", "Users that have the role", subjects(Subject.USER)).onlyWide(),
            Column.text("Groups", "Groups that have the role", subjects(Subject.GROUP)).onlyWide(),
            Column.text(
                            "ServiceAccounts",
                            "ServiceAccounts that have the role",
                            subjects(Subject.SERVICE_ACCOUNT))
                    .onlyWide()
        };
    }

    private static Object roleRef(ObjectNode binding) {
        return binding.at("/roleRef/kind").asString("")
                + "/"
                + binding.at("/roleRef/name").asString("");
    }

    private static Function<ObjectNode, Object> subjects(String kind) {
        return binding ->
                binding.path("subjects")
                        .valueStream()
                        .filter(subject -> subject.path("kind").asString("").equals(kind))
                        .map(
                                subject ->
                                        kind.equals(Subject.SERVICE_ACCOUNT)
                                                ? subject.path("namespace").asString("")
                                                        + "/"
                                                        + subject.path("name").asString("")
                                                : subject.path("name").asString(""))
                        .collect(Collectors.joining(", "));
    }
}

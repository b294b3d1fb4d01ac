package dev.orloj.server.admission;

import dev.orloj.api.FieldError;
import dev.orloj.api.Kind;
import dev.orloj.api.Resource;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/** Checks resources against a rule of this installation. Safe for many threads. */
@FunctionalInterface
public interface AdmissionRule {

    /** Returns all violations of the rule; empty when there are none. */
    List<FieldError> check(Resource resource);

    /** Returns what the author of an admitted document should know. */
    default List<String> warnings(Kind<?> kind, ObjectNode document) {
        return List.of();
    }
}

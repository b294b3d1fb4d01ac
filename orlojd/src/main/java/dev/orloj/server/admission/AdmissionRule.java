package dev.orloj.server.admission;

import dev.orloj.api.FieldError;
import dev.orloj.api.Resource;

import java.util.List;

/** Checks resources against a rule of this installation. Safe for many threads. */
@FunctionalInterface
public interface AdmissionRule {

    /** Returns all violations of the rule; empty when there are none. */
    List<FieldError> check(Resource resource);
}

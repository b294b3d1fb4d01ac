package dev.orloj.server.admission;

import dev.orloj.api.FieldError;
import dev.orloj.api.Resource;

import java.util.List;

/** What the operators of this installation want of resources. Safe for many threads. */
@FunctionalInterface
public interface AdmissionRule {

    /** Everything in the resource that goes too far; empty when nothing does. */
    List<FieldError> check(Resource resource);
}

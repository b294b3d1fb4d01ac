package dev.orloj.api.validation;

import dev.orloj.api.Advice;
import dev.orloj.api.Resource;

import java.util.List;

/** Returns advice about valid resources of a kind. Implementations must be thread-safe. */
@FunctionalInterface
public interface Advisor<R extends Resource> {

    /** Returns the advice, or an empty list. The result is the same for the same resource. */
    List<Advice> advise(R resource);
}

package dev.orloj.api.validation;

import dev.orloj.api.Advice;
import dev.orloj.api.Resource;

import java.util.List;

/** What is to be said of resources of a kind that nothing is wrong with. Safe for many threads. */
@FunctionalInterface
public interface Advisor<R extends Resource> {

    /** Empty when there is nothing to say; the same for the same resource. */
    List<Advice> advise(R resource);
}

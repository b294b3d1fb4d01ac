package dev.orloj.api.validation;

import dev.orloj.api.FieldError;

import java.util.List;

/** Rules about what may change of a resource that is there already. */
@FunctionalInterface
public interface UpdateValidator<T> {

    /** Everything that may not change that way; empty when all of it may. */
    List<FieldError> validate(T before, T after);
}

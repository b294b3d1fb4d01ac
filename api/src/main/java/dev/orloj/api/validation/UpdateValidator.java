package dev.orloj.api.validation;

import dev.orloj.api.FieldError;

import java.util.List;

/** Validates which changes of an existing resource are allowed. */
@FunctionalInterface
public interface UpdateValidator<T> {

    /** Returns an error for every change that is not allowed; empty if all are. */
    List<FieldError> validate(T before, T after);
}

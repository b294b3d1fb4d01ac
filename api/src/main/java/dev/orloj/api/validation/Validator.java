package dev.orloj.api.validation;

import dev.orloj.api.FieldError;

import java.util.List;

/** Rules that a schema cannot say: about several fields at once, or about the meaning of one. */
@FunctionalInterface
public interface Validator<T> {

    /**
     * Everything that is wrong with the value, in the order of its fields; empty when nothing is.
     */
    List<FieldError> validate(T value);
}

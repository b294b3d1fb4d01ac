package dev.orloj.api.validation;

import dev.orloj.api.FieldError;

import java.util.List;

/**
 * Validates rules that a schema cannot express: about several fields together, or about the meaning
 * of a field.
 */
@FunctionalInterface
public interface Validator<T> {

    /** Returns all errors of the value in the order of its fields; empty if it is valid. */
    List<FieldError> validate(T value);
}

package dev.orloj.runtime.http;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;

/** An argument cannot be placed in the request of its tool. Nothing was sent. */
public final class UnfitArgumentsException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient FieldError error;

    UnfitArgumentsException(FieldError error) {
        super(error.toString());
        this.error = error;
    }

    static UnfitArgumentsException required(String argument, String field) {
        return new UnfitArgumentsException(
                FieldError.required(path(argument), "the tool needs it for " + field));
    }

    static UnfitArgumentsException invalid(String argument, String remedy) {
        return new UnfitArgumentsException(FieldError.invalid(path(argument), "...", remedy));
    }

    /** Returns the error; its path begins with {@code arguments}. */
    public FieldError error() {
        return error;
    }

    private static FieldPath path(String argument) {
        return argument.isEmpty()
                ? FieldPath.of("arguments")
                : FieldPath.of("arguments").key(argument);
    }
}

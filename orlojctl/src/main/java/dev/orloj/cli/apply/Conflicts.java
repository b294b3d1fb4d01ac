package dev.orloj.cli.apply;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Status;

import java.util.List;

/** Finds the fields that an apply would change and that other managers own. */
public final class Conflicts {

    private static final String REASON = "FieldManagerConflict";

    /** How the server names the ownership entry of an older orlojctl. */
    private static final String WITH_OLDER =
            "conflict with \"" + ApplyOptions.FIELD_MANAGER + "\" using ";

    private Conflicts() {}

    /**
     * Returns the fields of other managers, with their owners; empty when the server rejected the
     * apply for another reason.
     */
    public static List<Status.Cause> of(ApiException e) {
        if (e.reason() != ErrorReason.CONFLICT) {
            return List.of();
        }
        return e.details().map(Status.Details::causes).orElse(List.of()).stream()
                .filter(cause -> cause.reason().equals(REASON))
                .toList();
    }

    static boolean anyWithOlder(ApiException e) {
        return of(e).stream().anyMatch(Conflicts::isWithOlder);
    }

    static List<Status.Cause> withoutOlder(ApiException e) {
        return of(e).stream().filter(cause -> !isWithOlder(cause)).toList();
    }

    private static boolean isWithOlder(Status.Cause cause) {
        return cause.message().startsWith(WITH_OLDER);
    }

    static ApiException of(ApiException e, List<Status.Cause> causes) {
        return new ApiException(
                e.reason(),
                String.valueOf(e.getMessage()),
                new Status.Details("", "", "", "", causes, 0));
    }
}

package dev.orloj.server.registry;

import dev.orloj.server.admission.FieldValidation;
import dev.orloj.server.authorization.UserInfo;

import java.util.Optional;

/**
 * Options of a write.
 *
 * @param dryRun whether to do everything except store the result
 * @param fieldManager the owner of the fields that the write changes
 * @param subresource through which a part of the resource is written as if it were separate; empty
 *     otherwise
 * @param user whose rights limit the write; empty for internal writers and unauthenticated clients
 */
public record WriteOptions(
        FieldValidation fieldValidation,
        boolean dryRun,
        String fieldManager,
        String subresource,
        Optional<UserInfo> user) {

    /** For internal writers, whose documents come from Java types and have no unknown fields. */
    public static final WriteOptions PLAIN =
            new WriteOptions(FieldValidation.IGNORE, false, "orlojd");

    public WriteOptions(FieldValidation fieldValidation, boolean dryRun, String fieldManager) {
        this(fieldValidation, dryRun, fieldManager, "", Optional.empty());
    }

    public WriteOptions through(String part) {
        return new WriteOptions(fieldValidation, dryRun, fieldManager, part, user);
    }

    public WriteOptions by(Optional<UserInfo> writer) {
        return new WriteOptions(fieldValidation, dryRun, fieldManager, subresource, writer);
    }
}

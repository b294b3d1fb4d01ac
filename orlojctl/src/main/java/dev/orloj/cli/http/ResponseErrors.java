package dev.orloj.cli.http;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Status;
import dev.orloj.api.codec.Json;
import dev.orloj.cli.kubeconfig.Kubeconfig;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.util.Arrays;

/** Converts the error response of a server into an exception. */
final class ResponseErrors {

    /** The most that is read of an error. */
    static final int MAX_BYTES = 1024 * 1024;

    private ResponseErrors() {}

    /**
     * @param request method and path
     */
    static ApiException of(int code, ServerLocation server, String request, byte[] body) {
        JsonNode status = parse(body);
        if (status != null && status.path("kind").asString("").equals("Status")) {
            return code == ErrorReason.UNAUTHORIZED.code()
                    ? new ApiException(
                            ErrorReason.UNAUTHORIZED,
                            "%s: the server at %s accepts no credential of this command; set ORLOJ_DATA_DIR to the data directory of your orlojd, or give --kubeconfig FILE or --api-token TOKEN%s"
                                    .formatted(
                                            fromStatus(status).getMessage(),
                                            server,
                                            Kubeconfig.isServiceOfAnother()
                                                    ? ", or use sudo for the service of this"
                                                            + " machine"
                                                    : ""))
                    : fromStatus(status);
        }
        return new ApiException(
                reasonOf(code),
                "the server at %s answered %d to %s, not as orlojd would"
                        .formatted(server, code, request));
    }

    /** Converts a Status into an exception. */
    static ApiException fromStatus(JsonNode status) {
        ErrorReason reason =
                ErrorReason.ofWireName(status.path("reason").asString(""))
                        .orElse(reasonOf(status.path("code").asInt(500)));
        String message = status.path("message").asString("");
        return new ApiException(
                reason,
                message.isEmpty() ? reason.wireName() : message,
                status.has("details")
                        ? Json.MAPPER.treeToValue(status.get("details"), Status.Details.class)
                        : null);
    }

    private static @Nullable JsonNode parse(byte[] body) {
        try {
            return body.length == 0 ? null : Json.MAPPER.readTree(body);
        } catch (JacksonException e) {
            return null; // an HTML page of some other server
        }
    }

    private static ErrorReason reasonOf(int code) {
        return Arrays.stream(ErrorReason.values())
                .filter(reason -> reason.code() == code)
                .findFirst()
                .orElse(code < 500 ? ErrorReason.BAD_REQUEST : ErrorReason.INTERNAL_ERROR);
    }
}

package dev.orloj.server.admission;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.Resource;
import dev.orloj.api.v1.McpServer;
import dev.orloj.runtime.reading.MessageLimits;

import java.util.List;

/** Rejects servers whose messages may be longer than orlojd allows. */
public final class MessageSizeRule implements AdmissionRule {

    private static final FieldPath FIELD = FieldPath.of("spec", "max_message_bytes");

    private final int most;

    public MessageSizeRule(MessageLimits limits) {
        this.most = limits.maxMessageBytes();
    }

    @Override
    public List<FieldError> check(Resource resource) {
        Integer wanted =
                resource instanceof McpServer server
                        ? server.spec().calls().maxMessageBytes()
                        : null;
        return wanted == null || wanted <= most
                ? List.of()
                : List.of(
                        FieldError.invalid(
                                FIELD,
                                wanted,
                                "must be at most %d, the limit of orlojd for all servers: give less, or raise orloj.messages.max-size"
                                        .formatted(most)));
    }
}

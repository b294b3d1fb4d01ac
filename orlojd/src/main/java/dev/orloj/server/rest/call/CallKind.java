package dev.orloj.server.rest.call;

import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.api.codec.Column;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.v1.Tool;

/** Describes calls for tables. They are not stored, and have no schema. */
final class CallKind {

    private static final Kind<Resource> KIND =
            new Kind<>(
                    Tool.KIND.group(), Tool.KIND.version(), "Call", "calls", true, Resource.class);

    static final KindDescriptor<Resource> DESCRIPTOR =
            // The schema of another kind; tables do not use it.
            KindDescriptor.of(KIND, Tool.DESCRIPTOR.schema())
                    .columns(
                            Column.text("Tool", "What was called", Column.at("/tool")),
                            Column.text("Server", "Which did the work", Column.at("/server")),
                            Column.text("Outcome", "How it ended", Column.at("/outcome")),
                            Column.text("Millis", "How long it took", Column.at("/millis")))
                    .readOnly()
                    .build();

    private CallKind() {}
}

package dev.orloj.api.v1;

import dev.orloj.api.validation.FieldError;
import dev.orloj.api.validation.FieldPath;

import java.util.List;

/** What holds for a Tool beyond its schema: those that could not be called are refused. */
final class ToolRules {

    private static final FieldPath SPEC = FieldPath.of("spec");

    private static final String INSTEAD =
            "calls of such tools are not supported; declare an McpServer, whose tools of type mcp"
                    + " are made by Orloj";

    private ToolRules() {}

    static List<FieldError> validate(Tool tool) {
        Tool.Spec spec = tool.spec();
        if (!spec.type().equals(Tool.TYPE_MCP)) {
            return List.of(FieldError.invalid(SPEC.child("type"), spec.type(), INSTEAD));
        }
        // Meant to be one of the others, whose type is not the default any more.
        return spec.endpoint().isBlank() || !spec.mcpServerRef().isBlank()
                ? List.of()
                : List.of(FieldError.forbidden(SPEC.child("endpoint"), INSTEAD));
    }
}

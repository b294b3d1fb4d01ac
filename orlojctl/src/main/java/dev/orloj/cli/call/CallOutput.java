package dev.orloj.cli.call;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.jsonpath.PathException;
import dev.orloj.cli.jsonpath.PathTemplate;
import dev.orloj.cli.output.Documents;
import dev.orloj.cli.output.ToolResult;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** The output format of results: {@code text}, {@code json}, {@code yaml} or a JSONPath. */
record CallOutput(Kind kind, @Nullable PathTemplate template) {

    /** The exit code when the tool reports an error. */
    private static final int TOOL_ERROR = 3;

    private static final String JSONPATH = "jsonpath=";

    enum Kind {
        TEXT,
        JSON,
        YAML,
        JSONPATH
    }

    static CallOutput parse(String text) {
        if (text.startsWith(JSONPATH)) {
            try {
                return new CallOutput(
                        Kind.JSONPATH, PathTemplate.parse(text.substring(JSONPATH.length())));
            } catch (PathException e) {
                throw new UsageException("jsonpath: " + e.getMessage());
            }
        }
        return switch (text) {
            case "text" -> new CallOutput(Kind.TEXT, null);
            case "json" -> new CallOutput(Kind.JSON, null);
            case "yaml" -> new CallOutput(Kind.YAML, null);
            default ->
                    throw new UsageException(
                            "unknown output format \"%s\"; text, json, yaml or jsonpath=..."
                                    .formatted(text));
        };
    }

    static JsonNode read(byte[] answer) {
        try {
            return Json.MAPPER.readTree(answer);
        } catch (JacksonException e) {
            throw new CommandException("the server did not answer with JSON");
        }
    }

    /**
     * Prints a result.
     *
     * @param answer the result as received
     * @return the exit code
     */
    int print(Context context, byte[] answer) {
        JsonNode result = read(answer);
        boolean isError = result.path("isError").asBoolean(false);
        switch (kind) {
            case JSON -> {
                context.out().write(answer, 0, answer.length);
                context.out().print("\n");
            }
            case YAML -> context.out().print(Documents.toYaml(result));
            case JSONPATH -> context.out().print(rendered(result));
            case TEXT -> {
                context.out().flush();
                (isError ? context.err() : context.out()).print(ToolResult.toText(result));
            }
        }
        return isError ? TOOL_ERROR : ExitCode.OK;
    }

    private String rendered(JsonNode result) {
        try {
            return template == null ? "" : template.render(result);
        } catch (PathException e) {
            throw new CommandException("jsonpath: " + e.getMessage());
        }
    }
}

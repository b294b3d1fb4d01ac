package dev.orloj.runtime.call;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.networknt.schema.SchemaException;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.runtime.argument.ArgumentMode;
import dev.orloj.runtime.argument.Coercion;
import dev.orloj.runtime.catalog.ToolEntry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Validates arguments against the input schemas of tools. Schemas come from servers and may be
 * wrong, recursive or malicious. If a schema is invalid, arguments pass unchecked, and this is
 * logged once. If a check does not terminate, because the schema refers to itself or needs too many
 * steps, the call is refused. Thread-safe; keeps a bounded number of compiled schemas.
 */
final class ArgumentCheck {

    private static final Logger log = LoggerFactory.getLogger(ArgumentCheck.class);
    private static final int MAX_SCHEMAS = 1_000;
    private static final String ENDLESS = "the input schema refers to itself without end ($ref)";
    private static final String UNCHECKED =
            "Arguments pass unchecked, the input schema cannot be used";
    private static final String REFUSED = "Calls are refused, the input schema cannot be checked";

    private final SchemaCompiler compiler = new SchemaCompiler();
    private final ConcurrentMap<String, InputSchema> schemas = new ConcurrentHashMap<>();

    /** Uids of tools in the order of their arrival; the first one is evicted first. */
    @GuardedBy("this")
    private final Deque<String> order = new ArrayDeque<>();

    /**
     * @param arguments the arguments to send
     * @param errors all errors of the arguments
     */
    record Checked(ObjectNode arguments, List<FieldError> errors) {}

    /** Keeps valid arguments unchanged; the mode decides whether other arguments are converted. */
    Checked check(ToolEntry tool, ObjectNode arguments, ArgumentMode mode) {
        if (mode == ArgumentMode.OFF) {
            return new Checked(arguments, List.of());
        }
        List<FieldError> errors = check(tool, arguments);
        if (mode == ArgumentMode.STRICT || errors.isEmpty()) {
            return new Checked(arguments, errors);
        }
        ObjectNode coerced = Coercion.coerce(arguments, tool.inputSchema());
        return coerced.equals(arguments)
                ? new Checked(arguments, errors)
                : new Checked(coerced, check(tool, coerced));
    }

    /**
     * Returns all errors of the arguments; empty when there are none, or when the check is not
     * possible.
     */
    List<FieldError> check(ToolEntry tool, ObjectNode arguments) {
        return switch (schemaOf(tool)) {
            case InputSchema.Unchecked _ -> List.of();
            case InputSchema.Endless _ -> List.of(refusal(ENDLESS));
            case InputSchema.Compiled compiled -> check(tool, compiled, arguments);
        };
    }

    private static List<FieldError> check(
            ToolEntry tool, InputSchema.Compiled schema, ObjectNode arguments) {
        try {
            if (ExtremeNumbers.in(arguments)) {
                return List.of(
                        FieldError.invalid(
                                FieldPath.of("arguments"),
                                "...",
                                "has a number of extreme size, which cannot be checked"));
            }
            var errors = schema.validate(arguments).getErrors();
            return errors.isEmpty()
                    ? List.of()
                    : Violations.of(errors, arguments, tool.inputSchema());
        } catch (SchemaException e) {
            noteOnce(tool, schema, UNCHECKED, e);
            return List.of();
        } catch (CheckBudget.Exceeded e) {
            noteOnce(tool, schema, REFUSED, e);
            return List.of(refusal(String.valueOf(e.getMessage())));
        } catch (StackOverflowError e) {
            noteOnce(tool, schema, REFUSED, e);
            return List.of(refusal(ENDLESS));
        }
    }

    private static FieldError refusal(String why) {
        return FieldError.invalid(
                FieldPath.of("arguments"),
                "...",
                "cannot be checked: " + why + "; the author of the tool has to mend its schema");
    }

    private static void noteOnce(
            ToolEntry tool, InputSchema.Compiled schema, String outcome, Throwable why) {
        if (schema.noted().compareAndSet(false, true)) {
            note(tool, outcome, why);
        }
    }

    private InputSchema schemaOf(ToolEntry tool) {
        InputSchema known = schemas.get(tool.toolUid());
        // A Tool that was rewritten without a change has an equal schema in another tree.
        if (known != null
                && (known.source() == tool.inputSchema()
                        || known.source().equals(tool.inputSchema()))) {
            return known;
        }
        InputSchema made = compile(tool);
        if (schemas.put(tool.toolUid(), made) == null) {
            forgetOldest(tool.toolUid());
        }
        return made;
    }

    private InputSchema compile(ToolEntry tool) {
        try {
            return compiler.compile(tool.inputSchema());
        } catch (StackOverflowError e) {
            note(tool, REFUSED, e);
            return new InputSchema.Endless(tool.inputSchema());
        } catch (RuntimeException e) {
            // For any exception of the library about a server's schema, the call continues without
            // a check.
            note(tool, UNCHECKED, e);
            return new InputSchema.Unchecked(tool.inputSchema());
        }
    }

    private synchronized void forgetOldest(String newest) {
        order.addLast(newest);
        if (order.size() > MAX_SCHEMAS) {
            schemas.remove(order.removeFirst());
        }
    }

    private static void note(ToolEntry tool, String outcome, Throwable why) {
        log.atWarn()
                .addKeyValue("tool", tool.tool())
                .addKeyValue("server", tool.server())
                .addKeyValue("error", why.toString())
                .log(outcome);
    }
}

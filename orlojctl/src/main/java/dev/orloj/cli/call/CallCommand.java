package dev.orloj.cli.call;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.Status;
import dev.orloj.api.codec.DocumentReader;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.MalformedDocumentException;
import dev.orloj.api.v1.Tool;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.http.Paths;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.http.ToolCalls;
import dev.orloj.cli.output.Documents;
import dev.orloj.cli.output.FileErrors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** Calls a tool and shows its result. */
public final class CallCommand extends Command {

    private static final String CALL_ID = "Orloj-Call-Id";

    private static final Duration PAUSE = Duration.ofMillis(500);

    /** Added to the call's own timeout, for a server that must start first. */
    private static final Duration GRACE = Duration.ofSeconds(60);

    private final TextsOption arguments =
            arguments("1", "TOOL", "Name of the Tool, or the name that agents see.");
    private final TextsOption given =
            texts(
                    "KEY=VALUE",
                    "One argument, read as the tool's schema says; a.0.b=C sets a value within one,"
                            + " KEY=@FILE takes a file.",
                    "-a",
                    "--arg");
    private final TextOption whole =
            text("JSON", "All arguments as one object; - reads stdin.", "--args");
    private final TextOption file =
            text("FILE", "All arguments from a JSON or YAML file; - is stdin.", "-f", "--filename");
    private final TextOption timeout =
            text("TIME", "Maximum time for the call, such as 10s.", "--timeout");
    private final TextOption output =
            text(
                    "FORMAT",
                    "text, json for the result as it came, yaml or jsonpath=TEMPLATE.",
                    "-o",
                    "--output");
    private final Flag example =
            flag("Make no call: print example arguments that fit the schema.", "--example");
    private final TextOption save =
            text(
                    "DIR",
                    "Save the call for replay, and the images and files of the"
                            + " result, in this folder.",
                    "--save");

    private final Flag progress =
            flag("Print the progress that the server reports to stderr.", "--progress");
    private final Flag later =
            flag("Do not wait: print the id of the call, for --result.", "--async");
    private final TextOption key =
            text("KEY", "Make only one call for all requests with this key.", "--idempotency-key");
    private final TextOption begun =
            text("ID", "Print the result of a call that was started with --async.", "--result");

    private final Flag wait = flag("With --async or --result: wait for the result.", "--wait");
    private final Flag verbose = flag("Print the id of the call to stderr.", "-v", "--verbose");

    public CallCommand() {
        super(
                "Call a tool.",
                "orlojctl call everything--echo --arg message=hello",
                "orlojctl call everything__echo --args '{\"message\": \"hello\"}' -o json",
                "orlojctl call github--search -f arguments.yaml --timeout 2m",
                "orlojctl call github--search --example -o yaml > arguments.yaml",
                "orlojctl call github--search --arg filters.0.field=stars --arg body=@body.md",
                "orlojctl call github--search -f arguments.yaml --async",
                "orlojctl call github--search --result box-z96rs.hod625b0c5");
    }

    @Override
    public int run(Context context) {
        CallOutput format = CallOutput.parse(output.orElse("text"));
        checkWays();
        String called = arguments.get().getFirst();
        ObjectNode tool = ToolLookup.find(context, context.namespace(), called);
        String name = tool.at("/metadata/name").asString("");
        String path = Paths.of(Tool.KIND, new ResourceKey(context.namespace(), name));
        if (begun.get().isPresent()) {
            return show(context, resultOf(context, path, begun.orElse("")), format);
        }
        JsonNode schema = tool.at("/spec/input_schema");
        if (example.isSet()) {
            return showExample(context, schema, format);
        }
        ObjectNode values = arguments(context, schema);
        save.get()
                .ifPresent(
                        folder ->
                                new SavedCall(context.namespace(), name, values)
                                        .write(Path.of(folder)));
        Request request = request(path, values);
        if (!later.isSet()) {
            return show(context, send(context, request), format);
        }
        String id = begin(context, called, request, format);
        return id.isEmpty() || !wait.isSet()
                ? ExitCode.OK
                : show(context, resultOf(context, path, id), format);
    }

    private static int showExample(Context context, JsonNode schema, CallOutput format) {
        ObjectNode values = new ArgumentExample().of(schema);
        context.out()
                .print(
                        format.kind() == CallOutput.Kind.YAML
                                ? Documents.toYaml(values)
                                : Documents.toJson(values));
        return ExitCode.OK;
    }

    private int show(Context context, byte[] answer, CallOutput format) {
        save.get()
                .ifPresent(
                        folder ->
                                SavedCall.writeContent(
                                        context, Path.of(folder), CallOutput.read(answer)));
        return format.print(context, answer);
    }

    private void checkWays() {
        boolean isKeyed = key.get().isPresent();
        if (progress.isSet() && (later.isSet() || isKeyed)) {
            throw new UsageException(
                    "--progress is for a call that orlojctl waits for and shares with no other:"
                            + " leave out "
                            + (later.isSet() ? "--async" : "--idempotency-key"));
        }
        boolean isCall =
                progress.isSet()
                        || later.isSet()
                        || isKeyed
                        || example.isSet()
                        || (timeout.get().isPresent() && !wait.isSet())
                        || waysOfArguments() > 0;
        if (begun.get().isPresent() && isCall) {
            throw new UsageException(
                    "--result makes no call: it goes with the name of the tool, --wait, --save and"
                            + " -o only");
        }
        if (wait.isSet() && !later.isSet() && begun.get().isEmpty()) {
            throw new UsageException(
                    "--wait goes with --async or --result: other calls are waited for anyway");
        }
    }

    private Request request(String path, ObjectNode values) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.set("arguments", values);
        if (timeout.duration().isPresent()) {
            body.put("timeout", timeoutText());
        }
        Request request =
                Request.of("POST", path + "/call", Json.MAPPER.writeValueAsBytes(body))
                        .waiting(timeout.duration().map(GRACE::plus).orElse(Duration.ZERO));
        return key.get().map(k -> request.withHeader("Idempotency-Key", k)).orElse(request);
    }

    /** Returns the result of a call that was begun before, and waits for it if that is asked. */
    private byte[] resultOf(Context context, String tool, String id) {
        ToolCalls calls = new ToolCalls(context.connection());
        Optional<Instant> deadline =
                timeout.duration()
                        .filter(time -> !time.isZero())
                        .map(time -> context.console().clock().instant().plus(time));
        while (true) {
            Optional<JsonNode> result;
            try {
                result = calls.result(tool, id);
            } catch (ApiException e) {
                throw explained(e);
            }
            if (result.isPresent()) {
                return Json.MAPPER.writeValueAsBytes(result.get());
            }
            if (!wait.isSet()) {
                throw new CommandException("call \"%s\" goes on: ask again later".formatted(id));
            }
            if (deadline.filter(end -> !context.console().clock().instant().isBefore(end))
                    .isPresent()) {
                throw CommandException.timeout(
                        "call \"%s\" goes on; its result: --result %<s".formatted(id));
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    /** Begins a call and prints its id, which it returns. */
    private String begin(Context context, String called, Request request, CallOutput format) {
        byte[] answer;
        try {
            answer = context.connection().read(request.withHeader("Prefer", "respond-async"));
        } catch (ApiException e) {
            throw explained(e);
        }
        String id = Json.MAPPER.readTree(answer).at("/metadata/name").asString("");
        if (wait.isSet()) {
            context.err().println("call " + id);
        } else if (format.kind() == CallOutput.Kind.JSON) {
            context.out().write(answer, 0, answer.length);
            context.out().print("\n");
        } else {
            context.out().println(id);
            context.out().flush();
            context.err()
                    .println(
                            "The call goes on: \"orlojctl call %s --result %s\" prints its result."
                                    .formatted(called, id));
        }
        return id;
    }

    /** Formats progress as {@code 2/3 message}, with the parts that the server sends. */
    private static String words(JsonNode progress) {
        String total = progress.has("total") ? "/" + progress.path("total").asString() : "";
        String message = progress.path("message").asString("");
        return progress.path("progress").asString("")
                + total
                + (message.isEmpty() ? "" : " " + message);
    }

    private byte[] send(Context context, Request request) {
        AtomicReference<String> id = new AtomicReference<>("");
        boolean failed = true;
        try {
            Request traced = request.withHeaderListener(CALL_ID, id::set);
            byte[] answer =
                    progress.isSet()
                            ? new ToolCalls(context.connection())
                                    .follow(
                                            traced,
                                            notification ->
                                                    context.err().println(words(notification)))
                            : context.connection().read(traced);
            failed = false;
            return answer;
        } catch (ApiException e) {
            throw explained(e);
        } finally {
            if ((failed || verbose.isSet()) && !id.get().isEmpty()) {
                context.err()
                        .println(
                                "Call %s: \"orlojctl trace %s\" shows where its time went."
                                        .formatted(id, id));
            }
        }
    }

    private String timeoutText() {
        String text = timeout.orElse("");
        return text.chars().allMatch(c -> c >= '0' && c <= '9') ? text + "s" : text;
    }

    private int waysOfArguments() {
        return (given.get().isEmpty() ? 0 : 1)
                + (whole.get().isPresent() ? 1 : 0)
                + (file.get().isPresent() ? 1 : 0);
    }

    private ObjectNode arguments(Context context, JsonNode schema) {
        if (waysOfArguments() > 1) {
            throw new UsageException("--arg, --args and -f exclude each other");
        }
        if (whole.get().isPresent()) {
            return whole.orElse("").equals("-")
                    ? read("stdin", bytes(context, "-"))
                    : read("--args", whole.orElse("").getBytes(StandardCharsets.UTF_8));
        }
        if (file.get().isPresent()) {
            return read(file.orElse(""), bytes(context, file.orElse("")));
        }
        return new CallArguments(schema).parse(given.get());
    }

    private static byte[] bytes(Context context, String file) {
        try {
            return file.equals("-")
                    ? context.console().in().readAllBytes()
                    : Files.readAllBytes(Path.of(file));
        } catch (IOException | InvalidPathException e) {
            throw new CommandException("cannot read \"" + file + "\": " + FileErrors.reason(e));
        }
    }

    private static ObjectNode read(String source, byte[] bytes) {
        try {
            boolean isJson =
                    new String(bytes, StandardCharsets.UTF_8).stripLeading().startsWith("{");
            return (isJson ? DocumentReader.readJson(bytes) : DocumentReader.readYaml(bytes))
                    .root();
        } catch (MalformedDocumentException e) {
            throw new CommandException(
                    "%s, line %d: %s".formatted(source, e.line(), e.getMessage()));
        }
    }

    /** Lists the error of each invalid argument. */
    static RuntimeException explained(ApiException e) {
        List<Status.Cause> causes = e.details().map(Status.Details::causes).orElse(List.of());
        if (e.reason() != ErrorReason.INVALID || causes.isEmpty()) {
            return e;
        }
        return new CommandException(
                String.join(
                        "\norlojctl: ",
                        causes.stream().map(c -> c.field() + ": " + c.message()).toList()));
    }
}

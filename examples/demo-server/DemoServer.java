import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A small MCP server over stdin and stdout that needs nothing but a JDK 25: {@code java DemoServer.java}. Its tools are
 * {@code echo}, {@code add} and {@code time}.
 *
 * <p>One JSON-RPC message a line, as the MCP stdio transport has it. JSON objects are maps, arrays
 * are lists and numbers are {@code BigDecimal}s, so that nothing is lost on the way through.
 */
void main() throws IOException {
    BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.err.println("demo server: ready");
    for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (!line.isBlank() && answer(line) instanceof Map<?, ?> answer) {
            out.println(Json.write(answer));
        }
    }
    System.err.println("demo server: stdin was closed, good bye");
}

/** The answer to one message; null for a notification, and for an answer of the client. */
Object answer(String line) {
    Object id = null;
    try {
        if (!(Json.read(line) instanceof Map<?, ?> message)) {
            throw new RpcError(-32600, "expected a JSON object");
        }
        id = message.get("id");
        if (id == null || !(message.get("method") instanceof String method)) {
            return null;
        }
        return object("jsonrpc", "2.0", "id", id, "result", handle(method, message.get("params")));
    } catch (RpcError e) {
        return object(
                "jsonrpc", "2.0",
                "id", id,
                "error", object("code", BigDecimal.valueOf(e.code), "message", e.getMessage()));
    }
}

Object handle(String method, Object params) {
    return switch (method) {
        case "initialize" -> initialize(params);
        case "ping" -> object();
        case "tools/list" -> object("tools", TOOLS.stream().map(Tool::definition).toList());
        case "tools/call" -> call(params);
        default -> throw new RpcError(-32601, "unknown method '" + method + "'");
    };
}

Object initialize(Object params) {
    boolean known =
            params instanceof Map<?, ?> map && REVISIONS.contains(map.get("protocolVersion"));
    return object(
            "protocolVersion", known ? ((Map<?, ?>) params).get("protocolVersion") : REVISIONS.getFirst(),
            "capabilities", object("tools", object()),
            "serverInfo", object("name", "orloj-demo", "title", "Orloj demo", "version", "1.0.0"),
            "instructions", "Three small tools to try things out with.");
}

Object call(Object params) {
    if (!(params instanceof Map<?, ?> map) || !(map.get("name") instanceof String name)) {
        throw new RpcError(-32602, "params.name is missing");
    }
    Tool tool =
            TOOLS.stream()
                    .filter(candidate -> candidate.name.equals(name))
                    .findFirst()
                    .orElseThrow(() -> new RpcError(-32602, "unknown tool '" + name + "'"));
    Map<?, ?> arguments = map.get("arguments") instanceof Map<?, ?> given ? given : Map.of();
    try {
        return text(tool.body.run(arguments), false);
    } catch (IllegalArgumentException e) {
        return text(e.getMessage(), true);
    }
}

static Object text(String text, boolean isError) {
    return object("content", List.of(object("type", "text", "text", text)), "isError", isError);
}

static final List<String> REVISIONS =
        List.of("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05");

static final List<Tool> TOOLS =
        List.of(
                new Tool(
                        "echo",
                        "Answers with the message it was given.",
                        object("message", object("type", "string", "description", "What to say.")),
                        List.of("message"),
                        arguments -> "Echo: " + string(arguments, "message")),
                new Tool(
                        "add",
                        "Adds two numbers, exactly.",
                        object(
                                "a", object("type", "number", "description", "The first one."),
                                "b", object("type", "number", "description", "The second one.")),
                        List.of("a", "b"),
                        arguments ->
                                number(arguments, "a").add(number(arguments, "b")).toPlainString()),
                new Tool(
                        "time",
                        "Returns the time of the machine that the server runs on.",
                        object(),
                        List.of(),
                        _ -> ZonedDateTime.now().toString()));

/** One tool: what it says of itself, and what it does. */
record Tool(
        String name,
        String description,
        Map<String, Object> properties,
        List<Object> required,
        Body body) {

    interface Body {
        String run(Map<?, ?> arguments);
    }

    Object definition() {
        return object(
                "name", name,
                "description", description,
                "inputSchema",
                        object("type", "object", "properties", properties, "required", required),
                "annotations", object("readOnlyHint", true, "openWorldHint", false));
    }
}

static String string(Map<?, ?> arguments, String name) {
    if (arguments.get(name) instanceof String text) {
        return text;
    }
    throw new IllegalArgumentException("the argument '" + name + "' must be a string");
}

static BigDecimal number(Map<?, ?> arguments, String name) {
    if (arguments.get(name) instanceof BigDecimal number) {
        return number;
    }
    throw new IllegalArgumentException("the argument '" + name + "' must be a number");
}

/** A JSON object of alternating names and values. */
static Map<String, Object> object(Object... namesAndValues) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
        object.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return object;
}

/** An error of the protocol, as opposed to one that a tool reports in its result. */
static final class RpcError extends RuntimeException {
    final int code;

    RpcError(int code, String message) {
        super(message);
        this.code = code;
    }
}

/** As much of JSON as a line of MCP needs. */
static final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Object read(String text) {
        Json json = new Json(text);
        try {
            Object value = json.value();
            json.skipBlanks();
            if (json.at < text.length()) {
                throw json.error("end of line");
            }
            return value;
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw json.error("valid JSON");
        }
    }

    private Object value() {
        skipBlanks();
        return switch (text.charAt(at)) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        at++;
        if (!skip('}')) {
            do {
                skipBlanks();
                String name = string();
                expect(':');
                object.put(name, value());
            } while (skip(','));
            expect('}');
        }
        return object;
    }

    private List<Object> array() {
        List<Object> array = new ArrayList<>();
        at++;
        if (!skip(']')) {
            do {
                array.add(value());
            } while (skip(','));
            expect(']');
        }
        return array;
    }

    private String string() {
        if (text.charAt(at) != '"') {
            throw error("'\"'");
        }
        StringBuilder string = new StringBuilder();
        for (char c = text.charAt(++at); c != '"'; c = text.charAt(++at)) {
            string.append(c == '\\' ? escaped() : c);
        }
        at++;
        return string.toString();
    }

    private char escaped() {
        char c = text.charAt(++at);
        return switch (c) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                at += 4;
                yield (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
            }
            default -> c;
        };
    }

    private BigDecimal number() {
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return new BigDecimal(text.substring(start, at));
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw error(word);
        }
        at += word.length();
        return value;
    }

    private boolean skip(char wanted) {
        skipBlanks();
        boolean found = text.charAt(at) == wanted;
        at += found ? 1 : 0;
        return found;
    }

    private void expect(char wanted) {
        if (!skip(wanted)) {
            throw error("'" + wanted + "'");
        }
    }

    private void skipBlanks() {
        while (at < text.length() && text.charAt(at) <= ' ') {
            at++;
        }
    }

    private RpcError error(String expected) {
        return new RpcError(-32700, "expected " + expected + " at character " + (at + 1));
    }

    static String write(Object value) {
        return switch (value) {
            case null -> "null";
            case String text -> quote(text);
            case Map<?, ?> object ->
                    object.entrySet().stream()
                            .map(field -> quote((String) field.getKey()) + ":" + write(field.getValue()))
                            .collect(java.util.stream.Collectors.joining(",", "{", "}"));
            case List<?> array ->
                    array.stream()
                            .map(Json::write)
                            .collect(java.util.stream.Collectors.joining(",", "[", "]"));
            default -> value.toString(); // numbers and booleans
        };
    }

    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append(c);
                case '\n' -> quoted.append("\\n");
                default -> {
                    if (c < ' ' || Character.isSurrogate(c)) {
                        quoted.append("\\u%04x".formatted((int) c));
                    } else {
                        quoted.append(c);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }
}

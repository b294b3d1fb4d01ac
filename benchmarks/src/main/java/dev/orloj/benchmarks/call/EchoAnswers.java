package dev.orloj.benchmarks.call;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * What an MCP server says that has one tool, {@code echo}, which returns its text. Looks for the
 * few members it needs in the bytes, so that it is never what limits a measurement. It believes its
 * client and checks nothing.
 */
final class EchoAnswers {

    private static final byte[] TOOLS =
            utf8(
                    """
                    {"tools":[{"name":"echo","description":"Returns its text","inputSchema":\
                    {"type":"object","properties":{"message":{"type":"string"}},\
                    "required":["message"],"additionalProperties":false}}]}\
                    """);
    private static final byte[] CAPABILITIES =
            utf8(
                    """
                    ,"capabilities":{"tools":{}},"serverInfo":{"name":"echo","version":"1"}}\
                    """);
    private static final byte[] NO_SUCH_METHOD =
            utf8(
                    """
                    ,"error":{"code":-32601,"message":"Method not found"}}\
                    """);

    private EchoAnswers() {}

    /** The input schema of its tool. */
    static JsonNode inputSchema() {
        return Json.MAPPER.readTree(TOOLS).at("/tools/0/inputSchema");
    }

    /** Writes the answer to a message; nothing when it wants none. */
    static void write(JsonSlice message, ByteArrayOutputStream out) {
        JsonSlice id = message.member("id");
        if (id.isAbsent()) {
            return;
        }
        write("{\"jsonrpc\":\"2.0\",\"id\":", out);
        id.writeTo(out);
        switch (message.member("method").text()) {
            case "\"tools/call\"" -> {
                write(",\"result\":{\"content\":[{\"type\":\"text\",\"text\":", out);
                message.member("params").member("arguments").member("message").writeTo(out);
                write("}],\"isError\":false}}", out);
            }
            case "\"initialize\"" -> {
                write(",\"result\":{\"protocolVersion\":", out);
                message.member("params").member("protocolVersion").writeTo(out);
                out.writeBytes(CAPABILITIES);
                out.write('}');
            }
            case "\"tools/list\"" -> {
                write(",\"result\":", out);
                out.writeBytes(TOOLS);
                out.write('}');
            }
            case "\"ping\"" -> write(",\"result\":{}}", out);
            default -> out.writeBytes(NO_SUCH_METHOD);
        }
    }

    private static void write(String ascii, ByteArrayOutputStream out) {
        out.writeBytes(ascii.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

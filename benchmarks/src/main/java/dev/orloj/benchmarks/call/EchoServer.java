package dev.orloj.benchmarks.call;

import dev.orloj.api.codec.Json;
import dev.orloj.benchmarks.suite.MeasuredProcess;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * An MCP server on standard streams with one tool, {@code echo}, that says what it is told. It
 * looks for the few members it needs in the bytes and answers all that it has read in one write, so
 * that it is never what limits a measurement. It believes its client and checks nothing.
 */
public final class EchoServer {

    private static final byte[] TOOLS =
            utf8(
                    """
                    {"tools":[{"name":"echo","description":"Says what it is told","inputSchema":\
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

    private static final int INITIAL_BUFFER = 64 * 1024;

    private final ByteArrayOutputStream answers = new ByteArrayOutputStream(INITIAL_BUFFER);

    EchoServer() {}

    public static void main(String[] args) throws IOException {
        new EchoServer()
                .serve(
                        new FileInputStream(FileDescriptor.in),
                        new FileOutputStream(FileDescriptor.out));
    }

    /** What starts it: a JVM that comes up fast and stays small. */
    static List<String> command() {
        return MeasuredProcess.command(
                List.of("-XX:+UseSerialGC", "-Xmx64m", "-XX:-UsePerfData"),
                EchoServer.class.getName(),
                List.of());
    }

    /** The input schema of its tool. */
    static JsonNode inputSchema() {
        return Json.MAPPER.readTree(TOOLS).at("/tools/0/inputSchema");
    }

    /** Returns at the end of the input. */
    void serve(InputStream in, OutputStream out) throws IOException {
        byte[] buffer = new byte[INITIAL_BUFFER];
        int filled = 0;
        for (int read = in.read(buffer); read >= 0; ) {
            filled += read;
            int rest = answerLines(buffer, filled);
            answers.writeTo(out);
            answers.reset();
            System.arraycopy(buffer, rest, buffer, 0, filled - rest);
            filled -= rest;
            if (filled == buffer.length) {
                buffer = Arrays.copyOf(buffer, buffer.length * 2);
            }
            read = in.read(buffer, filled, buffer.length - filled);
        }
    }

    /** Answers every complete line; returns where the incomplete one starts. */
    private int answerLines(byte[] buffer, int filled) {
        int start = 0;
        for (int i = 0; i < filled; i++) {
            if (buffer[i] == '\n') {
                answer(new JsonSlice(buffer, start, i));
                start = i + 1;
            }
        }
        return start;
    }

    private void answer(JsonSlice message) {
        JsonSlice id = message.member("id");
        if (id.isAbsent()) {
            return;
        }
        write("{\"jsonrpc\":\"2.0\",\"id\":");
        id.writeTo(answers);
        switch (message.member("method").text()) {
            case "\"tools/call\"" -> {
                write(",\"result\":{\"content\":[{\"type\":\"text\",\"text\":");
                message.member("params").member("arguments").member("message").writeTo(answers);
                write("}],\"isError\":false}}");
            }
            case "\"initialize\"" -> {
                write(",\"result\":{\"protocolVersion\":");
                message.member("params").member("protocolVersion").writeTo(answers);
                answers.writeBytes(CAPABILITIES);
                answers.write('}');
            }
            case "\"tools/list\"" -> {
                write(",\"result\":");
                answers.writeBytes(TOOLS);
                answers.write('}');
            }
            case "\"ping\"" -> write(",\"result\":{}}");
            default -> answers.writeBytes(NO_SUCH_METHOD);
        }
        answers.write('\n');
    }

    private void write(String ascii) {
        answers.writeBytes(ascii.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

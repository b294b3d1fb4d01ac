package dev.orloj.runtime.testkit;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/**
 * How a fake server behaves. Starts as a well-behaved server of revision 2025-11-25 with the tools
 * {@code echo}, {@code add} and {@code exotic}; each method changes one thing and returns this.
 * Travels to a child process as JSON.
 */
public final class FakeScript {

    private final ObjectNode settings;

    private FakeScript(ObjectNode settings) {
        this.settings = settings;
    }

    public static FakeScript wellBehaved() {
        return new FakeScript(Json.MAPPER.createObjectNode()).tools("echo", "add", "exotic");
    }

    static FakeScript parse(String json) {
        return new FakeScript((ObjectNode) Json.MAPPER.readTree(json));
    }

    String toJson() {
        return settings.toString();
    }

    // What both kinds of servers do

    /** The tools that are listed. Any name may be given; unknown ones behave like {@code echo}. */
    public FakeScript tools(String... names) {
        var list = settings.putArray("tools");
        for (String name : names) {
            list.add(name);
        }
        return this;
    }

    /** Answers {@code initialize} with this revision, whatever was asked for. */
    public FakeScript protocolVersion(String version) {
        settings.put("protocolVersion", version);
        return this;
    }

    /** Offers prompts, resources, completions and a level of its log, too. */
    public FakeScript features() {
        settings.put("features", true);
        return this;
    }

    /** Speaks 2026-07-28 and nothing else: no handshake, no session, no stream of its own. */
    public FakeScript stateless() {
        settings.put("stateless", true);
        return this;
    }

    /** Tools per page of {@code tools/list}; all on one page by default. */
    public FakeScript pageSize(int size) {
        settings.put("pageSize", size);
        return this;
    }

    /** Every page of {@code tools/list} names itself as the next one. */
    public FakeScript cursorLoop() {
        settings.put("cursorLoop", true);
        return this;
    }

    /** Never answers this method. */
    public FakeScript silentOn(String method) {
        settings.put("silentOn", method);
        return this;
    }

    /** Answers this method with an error. */
    public FakeScript failOn(String method, int code, String message) {
        settings.putObject("failOn")
                .put("method", method)
                .put("code", code)
                .put("message", message);
        return this;
    }

    // Only over stdio

    /** Lines printed on stdout before anything else; may be blank. */
    public FakeScript banner(String... lines) {
        var list = settings.putArray("banner");
        for (String line : lines) {
            list.add(line);
        }
        return this;
    }

    /** Lines printed on stderr at the start. */
    public FakeScript stderr(String... lines) {
        var list = settings.putArray("stderr");
        for (String line : lines) {
            list.add(line);
        }
        return this;
    }

    /** Ends with this code at once, after its banner and its stderr lines. */
    public FakeScript exitAtStart(int code) {
        settings.put("exitAtStart", code);
        return this;
    }

    public FakeScript closeStderr() {
        settings.put("closeStderr", true);
        return this;
    }

    /** Goes on when its stdin is closed. */
    public FakeScript ignoreEof() {
        settings.put("ignoreEof", true);
        return this;
    }

    public FakeScript ignoreSigterm() {
        settings.put("ignoreSigterm", true);
        return this;
    }

    /** Answers {@code initialize} and reads nothing more. */
    public FakeScript stopReading() {
        settings.put("stopReading", true);
        return this;
    }

    // Only over HTTP

    /** Answers requests with an event stream instead of a JSON document. */
    public FakeScript sse() {
        settings.put("sse", true);
        return this;
    }

    /** Hands out session ids and insists on them. */
    public FakeScript sessions() {
        settings.put("sessions", true);
        return this;
    }

    /** Ends each connection after its response, so that each request needs another one. */
    public FakeScript closesConnections() {
        settings.put("closesConnections", true);
        return this;
    }

    /** Offers a stream of server messages to GET, instead of a 405. */
    public FakeScript getStream() {
        settings.put("getStream", true);
        return this;
    }

    /**
     * Speaks as servers of 2024-11-05 do: GET opens the stream of all answers, which begins with
     * the address that messages go to.
     *
     * @param target that address, absolute or relative
     */
    public FakeScript httpSse(String target) {
        settings.put("httpSse", target);
        return this;
    }

    /**
     * With {@link #httpSse}: a message is accepted when its answer is on the stream, not before.
     */
    public FakeScript acceptsLate() {
        settings.put("acceptsLate", true);
        return this;
    }

    /**
     * Event streams of POSTs break off before the answer, to be resumed with {@code Last-Event-ID}.
     */
    public FakeScript breakStreams() {
        settings.put("breakStreams", true);
        return this;
    }

    List<String> list(String name) {
        List<String> values = new ArrayList<>();
        settings.path(name).forEach(value -> values.add(value.stringValue()));
        return values;
    }

    boolean is(String name) {
        return settings.path(name).booleanValue(false);
    }

    int number(String name, int otherwise) {
        return settings.path(name).intValue(otherwise);
    }

    String text(String name, String otherwise) {
        return settings.path(name).stringValue(otherwise);
    }

    JsonNode node(String name) {
        return settings.path(name);
    }
}

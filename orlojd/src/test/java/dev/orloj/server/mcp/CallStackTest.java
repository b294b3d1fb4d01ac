package dev.orloj.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.server.rest.HttpProbe;
import dev.orloj.server.rest.RestServer;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.StackWalker.StackFrame;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * How deep a tool call is: the frames of Orloj from the servlet, or for the REST API the filter
 * that takes calls, to the transport, which takes them when it gets the request.
 */
@Timeout(60)
class CallStackTest {

    private static final int MAX_IN_A_SESSION = 22;
    private static final int MAX_WITHOUT_A_SESSION = 23;
    private static final int MAX_OVER_REST = 17;

    private final AtomicReference<List<String>> stack = new AtomicReference<>(List.of());

    @Test
    @DisplayName("A tools/call of 2025-11-25 is no deeper than it was")
    void callInASessionIsShallow() {
        try (McpRig rig = new McpRig()) {
            Agent agent = rig.agent("/mcp", "2025-11-25");
            agent.call("github__echo", "{}");
            rig.servers().observeRequests(request -> take());

            assertThat(agent.call("github__echo", "{}").code()).isEqualTo(200);
        }

        print("/mcp, 2025-11-25");
        assertThat(stack.get()).hasSizeBetween(1, MAX_IN_A_SESSION);
    }

    @Test
    @DisplayName("A tools/call of 2026-07-28 is no deeper than it was")
    void callWithoutASessionIsShallow() {
        try (McpRig rig = new McpRig()) {
            StatelessAgent agent = new StatelessAgent(rig.probe("/mcp"));
            agent.call("github__echo", "{}");
            rig.servers().observeRequests(request -> take());

            assertThat(agent.call("github__echo", "{}").code()).isEqualTo(200);
        }

        print("/mcp, 2026-07-28");
        assertThat(stack.get()).hasSizeBetween(1, MAX_WITHOUT_A_SESSION);
    }

    @Test
    @DisplayName("A tool call over the REST API is no deeper than it was")
    void callOverRestIsShallow() {
        RestServer server = RestServer.shared();
        HttpProbe http = server.probe();
        String namespace = server.freshNamespace();
        ResourceKey owner = new ResourceKey(namespace, "srv");
        server.catalog().putServer(RestServer.scripted(owner));
        server.offer(owner, "echo", Json.MAPPER.readTree("{\"type\": \"object\"}"));
        String call = "/apis/orloj.dev/v1/namespaces/%s/tools/srv--echo/call".formatted(namespace);
        server.mcp().answerWith(params -> params);
        http.post(call, "{}");
        server.mcp()
                .answerWith(
                        params -> {
                            take();
                            return params;
                        });

        assertThat(http.post(call, "{}").code()).isEqualTo(200);

        print("REST");
        assertThat(stack.get()).hasSizeBetween(1, MAX_OVER_REST);
    }

    /** Called by the transport, whose own frames are those of a test. */
    private void take() {
        stack.set(
                StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                        .walk(
                                frames ->
                                        frames.takeWhile(frame -> !isTomcat(frame))
                                                .filter(CallStackTest::isOurs)
                                                .map(CallStackTest::text)
                                                .toList()));
    }

    private static boolean isTomcat(StackFrame frame) {
        return frame.getClassName().startsWith("org.apache.catalina.");
    }

    private static boolean isOurs(StackFrame frame) {
        return frame.getClassName().startsWith("dev.orloj.") && !isTest(frame.getDeclaringClass());
    }

    private static String text(StackFrame frame) {
        return frame.getClassName() + "." + frame.getMethodName();
    }

    private static boolean isTest(Class<?> type) {
        Path place = Path.of(URI.create(placeOf(type)));
        return place.getFileName().toString().matches("test|test-classes|.*-tests?[.]jar");
    }

    private static String placeOf(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation().toString();
    }

    private void print(String door) {
        System.out.printf("%s: %d frames%n", door, stack.get().size());
        stack.get().forEach(frame -> System.out.println("    " + frame));
    }
}

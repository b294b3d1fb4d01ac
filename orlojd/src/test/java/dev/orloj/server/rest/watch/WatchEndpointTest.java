package dev.orloj.server.rest.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.server.rest.HttpProbe;
import dev.orloj.server.rest.RestServer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

@Timeout(60)
class WatchEndpointTest {

    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

    private final HttpProbe http = RestServer.shared().probe();
    private String tools = "";

    @BeforeEach
    void freshNamespace() {
        tools =
                "/apis/orloj.dev/v1/namespaces/%s/tools"
                        .formatted(RestServer.shared().freshNamespace());
    }

    private void create(String name) {
        http.post(tools, "{\"metadata\": {\"name\": \"%s\"}, \"spec\": {}}".formatted(name));
    }

    private void label(String name, String value) {
        http.mergePatch(
                tools + "/" + name,
                "{\"metadata\": {\"labels\": {\"x\": \"%s\"}}}".formatted(value));
    }

    private String now() {
        return http.get(tools).at("/metadata/resourceVersion");
    }

    private Events watch(String query, String... headers) {
        return new Events(http.open(tools + "?watch=true" + query, headers));
    }

    /** The lines of an open watch. */
    private static final class Events implements AutoCloseable {

        private final HttpResponse<Stream<String>> response;
        private final Iterator<String> lines;

        Events(HttpResponse<Stream<String>> response) {
            this.response = response;
            this.lines = response.body().iterator();
        }

        JsonNode next() {
            return Json.MAPPER.readTree(lines.next());
        }

        String publish() {
            JsonNode event = next();
            return event.path("type").asString()
                    + " "
                    + event.at("/object/metadata/name").asString("");
        }

        List<JsonNode> rest() {
            List<JsonNode> events = new ArrayList<>();
            lines.forEachRemaining(line -> events.add(Json.MAPPER.readTree(line)));
            return events;
        }

        @Override
        public void close() {
            response.body().close();
        }
    }

    @Test
    void watchResumesWhereAListEnded() {
        create("before");
        String version = now();
        create("a");
        label("a", "1");
        http.delete(tools + "/a");

        try (Events events = watch("&resourceVersion=" + version)) {
            assertThat(events.publish()).isEqualTo("ADDED a");
            assertThat(events.publish()).isEqualTo("MODIFIED a");
            assertThat(events.publish()).isEqualTo("DELETED a");
            create("b");
            assertThat(events.publish()).isEqualTo("ADDED b");
        }
    }

    @Test
    void watchFromNowhereReportsThePresentFirst() {
        create("a");

        try (Events events = watch("&resourceVersion=0")) {
            assertThat(events.publish()).isEqualTo("ADDED a");
        }
    }

    @Test
    void selectionIsEnteredAndLeft() {
        create("a");

        try (Events events = watch("&labelSelector=x%3D1&resourceVersion=" + now())) {
            label("a", "1");
            assertThat(events.publish()).isEqualTo("ADDED a");
            label("a", "2");
            assertThat(events.publish()).isEqualTo("DELETED a");
        }
    }

    @Test
    void watchListMarksTheEndOfThePresent() {
        create("a");
        String parameters =
                "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                        + "&allowWatchBookmarks=true";

        try (Events events = watch(parameters)) {
            assertThat(events.publish()).isEqualTo("ADDED a");
            JsonNode bookmark = events.next();
            assertThat(bookmark.path("type").asString()).isEqualTo("BOOKMARK");
            assertThat(bookmark.at("/object/kind").asString()).isEqualTo("Tool");
            assertThat(
                            bookmark.at("/object/metadata/annotations/k8s.io~1initial-events-end")
                                    .asString())
                    .isEqualTo("true");
        }
    }

    @Test
    void presentStateIsLeftOutWhenItIsNotWanted() {
        create("a");

        try (Events events = watch("&sendInitialEvents=false&resourceVersionMatch=NotOlderThan")) {
            create("b");
            assertThat(events.publish()).isEqualTo("ADDED b");
        }
    }

    @Test
    void tableWatchSendsItsHeadersOnce() {
        create("a");

        try (Events events = watch("&resourceVersion=0", "Accept", TABLE)) {
            assertThat(events.next().at("/object/columnDefinitions")).isNotEmpty();
            label("a", "1");
            JsonNode second = events.next();
            assertThat(second.at("/object/columnDefinitions").isNull()).isTrue();
            assertThat(second.at("/object/rows")).hasSize(1);
        }
    }

    @Test
    void watchEndsCleanlyWhenItsTimeIsUp() {
        try (Events events = watch("&timeoutSeconds=1&resourceVersion=" + now())) {
            assertThat(events.rest()).isEmpty();
        }
    }

    @Test
    void revisionOfTheFutureIsGone() {
        try (Events events = watch("&resourceVersion=99999999999")) {
            JsonNode error = events.next();
            assertThat(error.path("type").asString()).isEqualTo("ERROR");
            assertThat(error.at("/object/code").asInt()).isEqualTo(410);
            assertThat(error.at("/object/reason").asString()).isEqualTo("Expired");
            assertThat(events.rest()).isEmpty();
        }
    }

    @Test
    void openStreamsEndBeforeTheServerWaitsForThem() {
        try (RestServer server = RestServer.start()) {
            Events events = new Events(server.probe().open("/apis/orloj.dev/v1/tools?watch=true"));
            assertThat(events.response.statusCode()).isEqualTo(200);

            server.close();

            assertThat(events.rest()).isEmpty();
        }
    }
}

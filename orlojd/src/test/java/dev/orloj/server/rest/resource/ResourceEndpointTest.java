package dev.orloj.server.rest.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.server.rest.HttpProbe;
import dev.orloj.server.rest.HttpProbe.Answer;
import dev.orloj.server.rest.RestServer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

class ResourceEndpointTest {

    private final HttpProbe http = RestServer.shared().probe();
    private String tools = "";

    @BeforeEach
    void freshNamespace() {
        tools =
                "/apis/orloj.dev/v1/namespaces/%s/tools"
                        .formatted(RestServer.shared().freshNamespace());
    }

    private static String tool(String name) {
        return """
        {"apiVersion": "orloj.dev/v1", "kind": "Tool", "metadata": {"name": "%s",
         "labels": {"app": "%s"}}, "spec": {"type": "mcp", "mcp_server_ref": "x",
          "mcp_tool_name": "x", "endpoint": "http://x"}}\
        """
                .formatted(name, name);
    }

    @Test
    void createdToolCanBeRead() {
        Answer created = http.post(tools, tool("a"));
        Answer read = http.get(tools + "/a");

        assertThat(created.code()).isEqualTo(201);
        assertThat(read.code()).isEqualTo(200);
        assertThat(read.json()).isEqualTo(created.json());
        assertThat(read.header("Content-Type")).isEqualTo("application/json");
        assertThat(read.header("Cache-Control")).isEqualTo("no-cache, private");
    }

    @Test
    void yamlIsUnderstood() {
        Answer created =
                http.post(
                        tools,
                        "kind: Tool\nmetadata: {name: y}\nspec: {type: mcp}\n",
                        "Content-Type",
                        "application/yaml");

        assertThat(created.code()).isEqualTo(201);
    }

    @Test
    void unknownFieldsAreWarnedAbout() {
        Answer created =
                http.post(
                        tools,
                        """
                        {"metadata": {"name": "a"}, "spec": {"b\\"ogus": 1}}\
                        """);

        assertThat(created.code()).isEqualTo(201);
        assertThat(created.header("Warning"))
                .isEqualTo("299 - \"unknown field \\\"spec.b\\\"ogus\\\"\"");
    }

    @Test
    void putNeedsTheVersionAndStaleOnesConflict() {
        ObjectNode first = (ObjectNode) http.post(tools, tool("a")).json();
        ObjectNode changed = first.deepCopy();
        changed.withObject("/spec").put("description", "new");

        Answer updated = http.put(tools + "/a", changed.toString());
        Answer stale = http.put(tools + "/a", changed.toString());
        Answer unversioned = http.put(tools + "/a", tool("a"));

        assertThat(updated.code()).isEqualTo(200);
        assertThat(updated.json().at("/metadata/generation").asInt()).isEqualTo(2);
        assertThat(stale.code()).isEqualTo(409);
        assertThat(unversioned.code()).isEqualTo(422);
        assertThat(unversioned.at("/details/causes/0/field")).isEqualTo("metadata.resourceVersion");
    }

    @Test
    void coreKindsMayBeOverwrittenUnread() {
        String events = tools.replace("/apis/orloj.dev/v1", "/api/v1").replace("tools", "events");
        String event = "{\"metadata\": {\"name\": \"e\"}, \"involvedObject\": {}, \"count\": %d}";
        http.post(events, event.formatted(1));

        Answer updated = http.put(events + "/e", event.formatted(2));

        assertThat(updated.code()).isEqualTo(200);
        assertThat(updated.json().path("count").asInt()).isEqualTo(2);
    }

    @Test
    void statusIsWrittenApart() {
        http.post(tools, tool("a"));
        http.mergePatch(tools + "/a", "{\"status\": {\"phase\": \"Ignored\"}}");
        Answer before = http.get(tools + "/a");

        Answer after =
                http.mergePatch(
                        tools + "/a/status",
                        "{\"status\": {\"phase\": \"Up\"}, \"spec\": {\"description\": \"no\"}}");

        assertThat(before.json().has("status")).isFalse();
        assertThat(after.at("/status/phase")).isEqualTo("Up");
        assertThat(after.json().path("spec")).isEqualTo(before.json().path("spec"));
        assertThat(after.json().at("/metadata/generation").asInt()).isEqualTo(1);
    }

    @Test
    void deletionAnswersWithTheUid() {
        String uid = http.post(tools, tool("a")).at("/metadata/uid");

        Answer deleted =
                http.send(
                        "DELETE",
                        tools + "/a",
                        "{\"kind\": \"DeleteOptions\", \"propagationPolicy\": \"Background\"}",
                        "Content-Type",
                        "application/json");

        assertThat(deleted.at("/status")).isEqualTo("Success");
        assertThat(deleted.at("/details/uid")).isEqualTo(uid);
        assertThat(deleted.at("/details/kind")).isEqualTo("tools");
        assertThat(http.get(tools + "/a").code()).isEqualTo(404);
    }

    @Test
    void heldDeletionAnswersWithTheResource() {
        http.post(
                tools,
                "{\"metadata\": {\"name\": \"a\", \"finalizers\": [\"test.dev/x\"]}, \"spec\":"
                        + " {}}");

        Answer deleted = http.delete(tools + "/a");
        Answer again = http.delete(tools + "/a");

        assertThat(deleted.at("/kind")).isEqualTo("Tool");
        assertThat(deleted.at("/metadata/deletionTimestamp")).isNotEmpty();
        assertThat(again.at("/metadata/resourceVersion"))
                .isEqualTo(deleted.at("/metadata/resourceVersion"));
    }

    @Test
    void collectionIsDeletedBySelector() {
        http.post(tools, tool("a"));
        http.post(tools, tool("b"));

        Answer deleted = http.delete(tools + "?labelSelector=app%3Da");

        assertThat(deleted.at("/items/0/metadata/name")).isEqualTo("a");
        assertThat(http.get(tools).json().path("items"))
                .singleElement()
                .satisfies(t -> assertThat(t.at("/metadata/name").asString()).isEqualTo("b"));
    }

    @Test
    void pagesShowTheMomentOfTheFirst() {
        for (String name : new String[] {"a", "b", "c"}) {
            http.post(tools, tool(name));
        }
        Answer first = http.get(tools + "?limit=2");
        http.post(tools, tool("bb"));

        Answer second = http.get(tools + "?limit=2&continue=" + first.at("/metadata/continue"));

        assertThat(first.at("/metadata/remainingItemCount")).isEqualTo("1");
        assertThat(second.at("/items/0/metadata/name")).isEqualTo("c");
        assertThat(second.json().path("items")).hasSize(1);
        assertThat(second.at("/metadata/resourceVersion"))
                .isEqualTo(first.at("/metadata/resourceVersion"));
    }

    @Test
    void emptyListHasItems() {
        Answer list = http.get(tools + "?labelSelector=none");

        assertThat(list.at("/kind")).isEqualTo("ToolList");
        assertThat(list.at("/items")).isEqualTo("[]");
    }

    @Test
    void allNamespacesAreListedTogetherButNotWrittenTogether() {
        http.post(tools, tool("a"));

        assertThat(http.get("/apis/orloj.dev/v1/tools").json().path("items")).isNotEmpty();
        assertThat(http.post("/apis/orloj.dev/v1/tools", tool("b")).code()).isEqualTo(405);
        assertThat(http.delete("/apis/orloj.dev/v1/tools").code()).isEqualTo(405);
    }

    @Test
    void exactRevisionShowsWhatThereWasThen() {
        http.post(tools, tool("a"));
        String version = http.get(tools).at("/metadata/resourceVersion");
        String exact = tools + "?resourceVersionMatch=Exact&resourceVersion=" + version;
        http.post(tools, tool("b"));

        Answer then = http.get(exact);

        assertThat(then.code()).isEqualTo(200);
        assertThat(then.at("/metadata/resourceVersion")).isEqualTo(version);
        assertThat(then.json().path("items")).hasSize(1);
    }

    @Test
    void serverGoesOnServingHeadRequests() {
        http.post(tools, tool("a"));

        Answer head = http.send("HEAD", tools + "/a", "");

        assertThat(head.code()).isEqualTo(200);
        assertThat(head.text()).isEmpty();
    }
}

package dev.orloj.cli.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.ApiException;
import dev.orloj.api.core.ConfigMap;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Deletions while others write. */
class PrunerTest {

    private static final String GONE = "- {\"kind\": \"Status\", \"status\": \"Success\"}";

    private final ScriptedServer server = new ScriptedServer();
    private final List<String> pruned = new ArrayList<>();

    @AfterEach
    void stop() {
        server.close();
    }

    private static String map(String uid, String version, String manager, String label) {
        return """
        {"metadata": {"name": "a", "namespace": "default", "uid": "%s", "resourceVersion": "%s",
         "labels": {"app": "%s"}, "managedFields": [{"manager": "%s", "operation": "Apply"}]}}
        """
                .formatted(uid, version, label, manager);
    }

    private static String list(String... items) {
        return "- {\"metadata\": {}, \"items\": [%s]}".formatted(String.join(",", items));
    }

    private void prune() {
        PruneScope scope =
                PruneScope.applied(
                        new Pruning.ByManager("app=web", List.of(ConfigMap.KIND)),
                        List.of("default"),
                        "orlojctl");
        new Pruner(server.client(), false, List.of())
                .prune(scope, Set.of("kept"), p -> pruned.add(p.key().name()));
    }

    @Test
    void deletionThatAnotherWriterGetsInTheWayOfIsTriedAgain() {
        server.script(
                list(map("u", "1", "orlojctl", "web"), map("kept", "1", "orlojctl", "web")),
                "- " + ScriptedServer.OUTDATED,
                "- " + map("u", "2", "orlojctl", "web"),
                GONE);

        prune();

        assertThat(pruned).containsExactly("a");
        assertThat(server.requests()).containsExactly("GET", "delete 1", "GET", "delete 2");
    }

    @Test
    void whatBecameAnotherOnesMeanwhileStays() {
        List<String> later =
                List.of(
                        map("u", "2", "kubectl", "web"),
                        map("u", "2", "orlojctl", "db"),
                        map("successor", "2", "orlojctl", "web"),
                        "{\"kind\": \"Status\", \"reason\": \"NotFound\", \"code\": 404}");
        for (String now : later) {
            server.script(
                    list(map("u", "1", "orlojctl", "web")),
                    "- " + ScriptedServer.OUTDATED,
                    "- " + now);

            prune();

            assertThat(pruned).isEmpty();
        }
        assertThat(server.requests()).doesNotContain("delete 2");
    }

    @Test
    void moreThanABoundIsNotPrunedAtAll() {
        String many =
                IntStream.rangeClosed(0, Pruner.MAX_PRUNED)
                        .mapToObj(i -> map("u" + i, "1", "orlojctl", "web"))
                        .collect(Collectors.joining(","));
        server.script(list(many));

        assertThatThrownBy(this::prune)
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("nothing was pruned: more than 10000 resources are in no");
        assertThat(server.requests()).containsExactly("GET");
    }
}

package dev.orloj.api.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.FieldPath;
import dev.orloj.api.codec.NameRule;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

class ToolNamesTest {

    private static Map<String, ToolNames> assign(String server, String... tools) {
        return ToolNames.assign(server, Arrays.asList(tools), name -> false, name -> false);
    }

    private static ToolNames only(String server, String tool) {
        return assign(server, tool).values().iterator().next();
    }

    private static ToolNames of(Map<String, ToolNames> names, String tool) {
        return Optional.ofNullable(names.get(tool)).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "create_issue, github--create-issue, github__create_issue",
        "createIssue, github--createissue, github__createIssue",
        "repo.list, github--repo.list, github__repo_list",
        "a..b, github--a.b, github__a__b",
        "_private_, github--private, github___private_",
        "v1._x-.y, github--v1.x.y, github__v1__x-_y",
        "files/read, github--files-read, github__files_read",
    })
    void namesAreTheOriginalMadeFit(String tool, String resource, String agent) {
        assertThat(only("github", tool)).isEqualTo(new ToolNames(resource, agent));
    }

    @Test
    void nameWithNothingUsableIsAHash() {
        assertThat(only("s", "工具").resource()).matches("s--[0-9a-f]{8}");
        assertThat(only("s", "工具").agent()).isEqualTo("s____");
    }

    @Test
    void toolNamesTheServersThatItCanBelongTo() {
        assertThat(ToolNames.serversOf("a--b---c--d"))
                .containsExactly("a", "a--b", "a--b-", "a--b---c");
        assertThat(ToolNames.serversOf("a-b")).isEmpty();
        assertThat(ToolNames.serversOf("s".repeat(63) + "--t")).hasSize(1);
        assertThat(ToolNames.serversOf("s".repeat(64) + "--t")).isEmpty();
        assertThat(ToolNames.serverOfAgentName("a--b__c__d")).contains("a--b");
        assertThat(ToolNames.serverOfAgentName("__c")).isEmpty();
        assertThat(ToolNames.serverOfAgentName("a_c")).isEmpty();
    }

    @Test
    void overLongNamesAreCutWithAHash() {
        String tool = "x".repeat(300);

        ToolNames names = only("server", tool);

        assertThat(names.resource()).hasSize(253).matches("server--x+-[0-9a-f]{8}");
        assertThat(names.agent()).hasSize(64).matches("server__x+_[0-9a-f]{8}");
        assertThat(only("server", tool + "y").agent()).isNotEqualTo(names.agent());
    }

    @Test
    void ofRivalsTheOneWithThatVeryNameKeepsItWhateverTheOrder() {
        Map<String, ToolNames> names = assign("s", "a_b", "a-b", "A-B");

        assertThat(of(names, "a-b").resource()).isEqualTo("s--a-b");
        assertThat(of(names, "a_b").resource()).matches("s--a-b-[0-9a-f]{8}");
        assertThat(of(names, "A-B").resource()).matches("s--a-b-[0-9a-f]{8}");
        assertThat(of(names, "a_b").agent()).isEqualTo("s__a_b");
        assertThat(assign("s", "A-B", "a-b", "a_b")).isEqualTo(names);
    }

    @Test
    void takenNameIsLeftAloneAndTheNewcomerGetsAHash() {
        Map<String, ToolNames> names =
                ToolNames.assign("s", List.of("log"), "s--log"::equals, "s__log"::equals);

        assertThat(of(names, "log").resource()).matches("s--log-[0-9a-f]{8}");
        assertThat(of(names, "log").agent()).matches("s__log_[0-9a-f]{8}");
    }

    @Test
    void takenHashGrows() {
        String first =
                ToolNames.assign("s", List.of("log"), "s--log"::equals, n -> false)
                        .values()
                        .iterator()
                        .next()
                        .resource();

        ToolNames second =
                ToolNames.assign("s", List.of("log"), Set.of("s--log", first)::contains, n -> false)
                        .values()
                        .iterator()
                        .next();

        assertThat(second.resource()).matches("s--log-[0-9a-f]{16}").startsWith(first);
    }

    /**
     * Tools of nasty names come and go: all names are valid and unique, do not depend on the order
     * of the list, and never move while their tool is there.
     */
    @Test
    void namesAreValidUniqueStableAndIndependentOfOrder() {
        long seed = new Random().nextLong();
        System.out.println("ToolNamesTest seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            Map<String, ToolNames> given = new HashMap<>();
            for (int step = 0; step < 8; step++) {
                given.keySet().removeIf(tool -> random.nextInt(4) == 0);
                List<String> newcomers = new ArrayList<>(new TreeSet<>(randomTools(random)));
                newcomers.removeAll(given.keySet());
                Set<String> resources = new HashSet<>();
                Set<String> agents = new HashSet<>();
                given.values().forEach(n -> resources.add(n.resource()));
                given.values().forEach(n -> agents.add(n.agent()));

                Map<String, ToolNames> assigned =
                        ToolNames.assign("srv", newcomers, resources::contains, agents::contains);
                Collections.shuffle(newcomers, random);
                Map<String, ToolNames> shuffled =
                        ToolNames.assign("srv", newcomers, resources::contains, agents::contains);

                assertThat(shuffled).as("seed %d", seed).isEqualTo(assigned);
                assertThat(assigned.keySet()).containsExactlyInAnyOrderElementsOf(newcomers);
                for (ToolNames names : assigned.values()) {
                    assertThat(resources.add(names.resource())).as("seed %d", seed).isTrue();
                    assertThat(agents.add(names.agent())).as("seed %d", seed).isTrue();
                    assertThat(names.agent()).matches("[a-zA-Z0-9_-]{1,64}");
                    assertThat(NameRule.SUBDOMAIN.check(FieldPath.root(), names.resource()))
                            .as("seed %d: %s", seed, names.resource())
                            .isEmpty();
                }
                given.putAll(assigned);
            }
        }
    }

    private static List<String> randomTools(Random random) {
        List<String> tools = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            StringBuilder name = new StringBuilder();
            int length = 1 + random.nextInt(random.nextInt(10) == 0 ? 300 : 4);
            for (int c = 0; c < length; c++) {
                name.append("ab_-. AZ9é/".charAt(random.nextInt(11)));
            }
            tools.add(name.toString());
        }
        return tools;
    }
}

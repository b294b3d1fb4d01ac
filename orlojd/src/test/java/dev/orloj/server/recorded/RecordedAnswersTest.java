package dev.orloj.server.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.RunningOrlojd;

import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The answers of every route are those that were written down, beside the scripts in {@code
 * src/test/recorded}. To write them anew: {@code RECORD=write ./mvnw -pl orlojd test
 * -Dtest=RecordedAnswersTest}
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RecordedAnswersTest {

    private static final Path FOLDER = Path.of("src/test/recorded");
    private static final boolean WRITES = "write".equals(System.getenv("RECORD"));
    private static final String SCRIPT = ".http";
    private static final String TEMPLATE = ".template";

    private final Map<Path, String> answers = new LinkedHashMap<>();
    private RunningOrlojd orlojd;
    private Recorder recorder;

    @BeforeAll
    void runTheScripts() throws IOException {
        Path data = Files.createTempDirectory("recorded");
        orlojd =
                RunningOrlojd.start(
                        TestPostgres.freshDatabase(),
                        Map.of(
                                "orloj.data-dir",
                                data,
                                "orloj.mcp.expose-sse",
                                true,
                                "orloj.containers.host",
                                "unix:///none.sock"));
        recorder = new Recorder(URI.create(orlojd.client().url()).getPort());
        recorder.set("folder", FOLDER.toAbsolutePath().toString());
        recorder.mask().hide(FOLDER.toAbsolutePath().toString(), "folder");
        recorder.mask().hide(data.toString(), "data");
        for (Path script : scripts()) {
            answers.put(answers(script, SCRIPT, ""), recorder.run(Files.readString(script)));
        }
        orlojd.createNamespace("lives");
        Path life = FOLDER.resolve("30-life" + TEMPLATE);
        for (KindOfLife kind : KindOfLife.read(FOLDER.resolve("30-life.kinds"))) {
            kind.set(recorder);
            Path answer = answers(life, TEMPLATE, "-" + kind.kind().toLowerCase(Locale.ROOT));
            answers.put(
                    answer,
                    recorder.run(Files.readString(life), () -> kind.awaitSteady(orlojd.client())));
        }
    }

    @AfterAll
    void stop() {
        recorder.close();
        orlojd.close();
    }

    private static Path answers(Path script, String end, String name) {
        return script.resolveSibling(
                script.getFileName().toString().replace(end, name + ".answers"));
    }

    private static List<Path> scripts() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(SCRIPT)).sorted().toList();
        }
    }

    @Test
    void answersAreThoseThatWereRecorded() throws IOException {
        Path folder = WRITES ? FOLDER : Files.createDirectories(Path.of("target", "recorded"));
        for (Map.Entry<Path, String> reported : answers.entrySet()) {
            Files.writeString(folder.resolve(reported.getKey().getFileName()), reported.getValue());
        }
        SoftAssertions all = new SoftAssertions();
        for (Map.Entry<Path, String> reported : answers.entrySet()) {
            List<String> recorded = blocks(Files.readString(reported.getKey()));
            all.assertThat(blocks(reported.getValue()))
                    .as(
                            "answers to %s, now in %s; RECORD=write records them anew",
                            reported.getKey(), folder)
                    .containsExactlyElementsOf(recorded);
        }
        all.assertAll();
    }

    private static List<String> blocks(String answers) {
        return List.of(answers.split("(?m)^(?=### )"));
    }

    @Test
    void everyRouteHasARecordedAnswer() {
        List<RequestMappingInfo> mappings = new ArrayList<>();
        for (RequestMappingInfoHandlerMapping routes :
                orlojd.parts(RequestMappingInfoHandlerMapping.class)) {
            mappings.addAll(routes.getHandlerMethods().keySet());
        }

        assertThat(mappings).hasSizeGreaterThan(20);
        assertThat(Routes.of(mappings).without(recorder.asked())).isEmpty();
    }

    @Test
    void everyVerbOfDiscoveryHasARecordedAnswer() {
        TreeSet<String> left = new TreeSet<>();
        List<String> paths = new ArrayList<>(List.of("/api/v1"));
        for (JsonNode group : orlojd.client().get("/apis").expect(200).body().path("groups")) {
            paths.add("/apis/" + group.at("/preferredVersion/groupVersion").asString());
        }
        for (String path : paths) {
            JsonNode resources = orlojd.client().get(path).expect(200).body();
            assertThat(resources.path("resources")).as(path).isNotEmpty();
            left.addAll(Verbs.without(path, resources, recorder.asked()));
        }

        assertThat(left).isEmpty();
    }

    @Test
    void everyServletHasARecordedAnswer() {
        TreeSet<String> prefixes = new TreeSet<>();
        for (ServletRegistrationBean<?> servlet : orlojd.parts(ServletRegistrationBean.class)) {
            servlet.getUrlMappings().forEach(path -> prefixes.add(path.replaceFirst("/?\\*$", "")));
        }
        prefixes.removeIf(
                prefix -> recorder.asked().stream().anyMatch(a -> a.path().startsWith(prefix)));

        assertThat(prefixes).isEmpty();
    }
}

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

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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

    private final Map<Path, String> answers = new LinkedHashMap<>();
    private RunningOrlojd orlojd;
    private Recorder recorder;

    @BeforeAll
    void runTheScripts() throws IOException {
        Path data = Files.createTempDirectory("recorded");
        orlojd =
                RunningOrlojd.start(
                        TestPostgres.freshDatabase(),
                        Map.of("orloj.data-dir", data, "orloj.mcp.expose-sse", true));
        recorder = new Recorder(URI.create(orlojd.client().url()).getPort());
        recorder.set("folder", FOLDER.toAbsolutePath().toString());
        recorder.mask().hide(FOLDER.toAbsolutePath().toString(), "folder");
        recorder.mask().hide(data.toString(), "data");
        for (Path script : scripts()) {
            String name = script.getFileName().toString().replace(SCRIPT, ".answers");
            answers.put(script.resolveSibling(name), recorder.run(Files.readString(script)));
        }
    }

    @AfterAll
    void stop() {
        recorder.close();
        orlojd.close();
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

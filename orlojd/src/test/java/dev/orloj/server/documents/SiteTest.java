package dev.orloj.server.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.server.testing.AcceptanceSuite;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/** The documentation site is made of all pages, and its links lead somewhere. */
@Tag(AcceptanceSuite.DOCUMENTS)
@AcceptanceSuite(AcceptanceSuite.DOCUMENTS)
class SiteTest {

    @TempDir private Path folder;

    private Path docs;

    /** A checkout with pages and a configuration of its own. */
    @BeforeEach
    void copy() throws IOException {
        link(Pages.ROOT, folder, List.of("docs", "deploy", "target", ".git"));
        Path deploy = Files.createDirectory(folder.resolve("deploy"));
        link(Pages.ROOT.resolve("deploy"), deploy, List.of("site"));
        docs = folder.resolve("docs");
        FileSystemUtils.copyRecursively(Pages.ROOT.resolve("docs"), docs);
        copy(Pages.ROOT.resolve("deploy/site"), deploy.resolve("site"));
    }

    @DisplayName("O-10: the site is built from all pages")
    @Test
    void siteHasAPageForEachPage() throws Exception {
        Path site = folder.resolve("made");

        assertThat(build(site)).startsWith("0 ");

        try (Stream<Path> pages = Files.list(docs)) {
            assertThat(pages.map(page -> page.getFileName().toString()))
                    .filteredOn(name -> name.endsWith(".md") && !name.equals("README.md"))
                    .hasSizeGreaterThan(15)
                    .allSatisfy(
                            name ->
                                    assertThat(site.resolve(name.replace(".md", "/index.html")))
                                            .exists());
        }
        assertThat(site.resolve("search/search_index.json")).isNotEmptyFile();
    }

    @DisplayName("O-10: a page that the navigation lacks fails the build of the site")
    @Test
    void pageOutsideTheNavigationIsNamed() throws Exception {
        Files.writeString(docs.resolve("stray.md"), "# Stray\n");

        assertThat(build(folder.resolve("made"))).startsWith("1 ").contains("stray.md");
    }

    @DisplayName("O-10: a link that leads nowhere fails the build of the site")
    @Test
    void brokenLinksAreNamed() throws Exception {
        Files.writeString(docs.resolve("quickstart.md"), "# A\n[b](nowhere.md) [c](#nothing)\n");

        assertThat(build(folder.resolve("made")))
                .startsWith("1 ")
                .contains("nowhere.md", "#nothing");
    }

    @DisplayName("O-10: a link to a source that does not exist fails the build of the site")
    @Test
    void brokenLinkToASourceIsNamed() throws Exception {
        Files.writeString(docs.resolve("quickstart.md"), "# A\n[b](../examples/nowhere.yaml)\n");

        assertThat(build(folder.resolve("made")))
                .startsWith("1 ")
                .contains("../examples/nowhere.yaml");
    }

    /** Its exit code, and what it printed. */
    private String build(Path site) throws IOException, InterruptedException {
        Process build =
                new ProcessBuilder(folder.resolve("deploy/site/build").toString(), site.toString())
                        .redirectErrorStream(true)
                        .start();
        build.getOutputStream().close();
        String output = new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return build.waitFor() + " " + output;
    }

    private static void link(Path from, Path to, List<String> without) throws IOException {
        try (Stream<Path> entries = Files.list(from)) {
            for (Path entry : entries.toList()) {
                if (!without.contains(entry.getFileName().toString())) {
                    Files.createSymbolicLink(to.resolve(entry.getFileName()), entry);
                }
            }
        }
    }

    /** With the permissions. */
    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(
                        file,
                        to.resolve(from.relativize(file).toString()),
                        StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }
}

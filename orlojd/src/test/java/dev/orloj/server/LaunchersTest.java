package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The launchers of {@code bin/}, in an installation whose JDK is a script that prints what it is
 * started with.
 */
class LaunchersTest {

    @TempDir private Path folder;

    private Path root;
    private Path jdk;

    private InstalledLaunchers launchers;

    @BeforeEach
    void install() throws IOException {
        launchers = InstalledLaunchers.in(folder);
        root = launchers.root();
        jdk = launchers.jdk();
    }

    @ParameterizedTest
    @ValueSource(strings = {"orlojd", "orlojctl"})
    void argumentsArriveAsTheyWereGiven(String app) throws Exception {
        List<String> started = run(root.resolve("bin").resolve(app), "a b", "", "*", "$HOME", "-x");

        String jar = root.resolve("lib").resolve(app).resolve(app + ".jar").toString();
        assertThat(started).endsWith("-jar", jar, "a b", "", "*", "$HOME", "-x");
    }

    @Test
    void worksThroughSymbolicLinks() throws Exception {
        Path absolute = folder.resolve("absolute");
        Path relative = folder.resolve("relative");
        Files.createSymbolicLink(absolute, root.resolve("bin/orlojctl"));
        Files.createSymbolicLink(relative, Path.of("absolute"));

        assertThat(run(relative, "version")).endsWith("version");
    }

    /** H-06 */
    @Test
    void orlojdEndsWithoutMemoryWhereASupervisorStartsItAgain() throws Exception {
        Path orlojd = root.resolve("bin/orlojd");
        String exits = "-XX:+ExitOnOutOfMemoryError";

        assertThat(run(orlojd)).doesNotContain(exits);
        assertThat(run(List.of("SYSTEMD_EXEC_PID=1"), orlojd)).doesNotContain(exits);
        assertThat(run(List.of("ORLOJ_EXIT_ON_OOM=on"), orlojd)).contains(exits);
        assertThat(run(Path.of("/bin/sh"), "-c", "SYSTEMD_EXEC_PID=$$ exec '" + orlojd + "'"))
                .contains(exits);
    }

    @Test
    void optionsOfTheUserComeLast() throws Exception {
        List<String> started =
                run(List.of("ORLOJ_JAVA_OPTS=-Xmx2g -Dx=y"), root.resolve("bin/orlojd"));

        assertThat(started).containsSubsequence("-Xmx512m", "-Xmx2g", "-Dx=y", "-jar");
    }

    @Test
    void cacheIsUsedWhenItIsThere() throws Exception {
        Files.writeString(
                root.resolve("bin/lib/make-cache"), "#!/bin/sh\n: >\"$2/app.aot\"; echo \"$2\"\n");
        Path cache = Path.of(run(List.of("ORLOJ_AOT=only"), root.resolve("bin/orlojd")).getFirst());

        assertThat(cache).startsWith(root.resolve("lib/aot"));
        assertThat(run(List.of("ORLOJ_AOT=on"), root.resolve("bin/orlojd")))
                .contains("-XX:AOTCache=" + cache.resolve("app.aot"))
                .endsWith("-jar", cache.resolve("app/orlojd.jar").toString());
    }

    @ParameterizedTest
    @DisplayName("20.8, H-27: no start makes a cache, which would run beside a service")
    @ValueSource(strings = {"A=b", "KUBERNETES_SERVICE_HOST=10.0.0.1"})
    void noStartMakesACache(String environment) throws Exception {
        Files.writeString(
                root.resolve("bin/lib/make-cache"), "#!/bin/sh\n: >\"$ORLOJ_ROOT/asked\"\n");

        for (String app : List.of("orlojd", "orlojctl")) {
            assertThat(run(List.of("ORLOJ_AOT=on", environment), root.resolve("bin/" + app)))
                    .contains("-jar");
        }

        assertThat(root.resolve("asked")).doesNotExist();
        assertThat(folder.resolve("cache/orloj")).doesNotExist();
        assertThat(root.resolve("lib/aot")).doesNotExist();
    }

    @ParameterizedTest
    @DisplayName("20.8: a word that ORLOJ_AOT does not know is refused")
    @ValueSource(strings = {"train", "yes"})
    void unknownWordIsRefused(String word) throws Exception {
        assertThat(run(List.of("ORLOJ_AOT=" + word), root.resolve("bin/orlojd")))
                .containsExactly("orlojd: ORLOJ_AOT is '" + word + "'; give on, off or only");
    }

    @Test
    @DisplayName("H-27: the main process of a systemd service makes no cache")
    void noCacheIsMadeByAServiceOfSystemd() throws Exception {
        Files.writeString(root.resolve("bin/lib/make-cache"), "#!/bin/sh\n");
        String start = "ORLOJ_AOT=on SYSTEMD_EXEC_PID=$$ exec '%s'";

        assertThat(run(Path.of("/bin/sh"), "-c", start.formatted(root.resolve("bin/orlojctl"))))
                .contains("-jar");

        assertThat(folder.resolve("cache/orloj")).doesNotExist();
        assertThat(root.resolve("lib/aot")).doesNotExist();
    }

    @Test
    @DisplayName("H-27: the cache that a shell makes is the one of the service")
    void cacheThatAShellMakesIsFoundByTheService() throws Exception {
        Files.writeString(root.resolve("bin/lib/make-cache"), "#!/bin/sh\n: >\"$2/app.aot\"\n");
        Path orlojd = root.resolve("bin/orlojd");
        run(List.of("ORLOJ_AOT=only"), orlojd);

        String start = "ORLOJ_AOT=on SYSTEMD_EXEC_PID=$$ exec '%s'".formatted(orlojd);
        assertThat(run(Path.of("/bin/sh"), "-c", start))
                .contains("-XX:+ExitOnOutOfMemoryError")
                .anyMatch(argument -> argument.startsWith("-XX:AOTCache="));
    }

    @Test
    @DisplayName("H-27: what makes the cache does not touch the data of the user")
    void cacheIsMadeWithoutTheSettingsOfTheUser() throws Exception {
        Path seen = jdk.resolve("bin/seen");
        Files.writeString(
                jdk.resolve("bin/java"),
                """
                #!/bin/sh
                { env; echo "PWD=$(pwd)"; printf '%s\\n' "$@"; } >>"${0%/*}/seen"
                for last; do :; done
                case $* in *extract*) mkdir -p "$last" ;; esac
                """);

        run(
                List.of(
                        "ORLOJ_AOT=only",
                        "ORLOJ_DATABASE_URL=jdbc:of-the-user",
                        "SPRING_DATASOURCE_URL=jdbc:of-the-user",
                        "JAVA_TOOL_OPTIONS=-Dorloj.database.url=jdbc:of-the-user",
                        "ORLOJ_JAVA_OPTS=-Xmx300m -Dorloj.database.url=jdbc:of-the-user"),
                root.resolve("bin/orlojd"));

        assertThat(Files.readString(seen))
                .contains("-XX:AOTCacheOutput=", "--data-dir", "-Xmx300m", "PATH=")
                .doesNotContain("of-the-user")
                .doesNotContain("\nPWD=" + Path.of("").toAbsolutePath() + "\n");
    }

    @Test
    @DisplayName("H-27: a cache is made beforehand when that is asked for, and nothing is started")
    void cacheIsMadeBeforehandWhenAskedFor() throws Exception {
        Files.writeString(
                root.resolve("bin/lib/make-cache"), "#!/bin/sh\n: >\"$2/app.aot\"; echo made\n");

        assertThat(run(List.of("ORLOJ_AOT=only"), root.resolve("bin/orlojd")))
                .hasSize(2)
                .startsWith("made")
                .anyMatch(line -> line.startsWith("orlojd: the cache is in '"));

        Files.writeString(root.resolve("bin/lib/make-cache"), "#!/bin/sh\nexit 1\n");
        Files.writeString(root.resolve("lib/orlojd/orlojd.jar"), "another jar");
        assertThat(run(List.of("ORLOJ_AOT=only"), root.resolve("bin/orlojd")))
                .singleElement()
                .asString()
                .contains("was not made");
    }

    @Test
    void anotherBuildHasAnotherCache() throws Exception {
        Files.writeString(root.resolve("bin/lib/make-cache"), "#!/bin/sh\n: >\"$2/app.aot\"\n");
        run(List.of("ORLOJ_AOT=only"), root.resolve("bin/orlojd"));
        Files.writeString(root.resolve("lib/orlojd/orlojd.jar"), "another jar");
        run(List.of("ORLOJ_AOT=only"), root.resolve("bin/orlojd"));

        try (Stream<Path> caches = Files.list(root.resolve("lib/aot"))) {
            assertThat(caches).hasSize(2);
        }
    }

    @Test
    @DisplayName("18: a cache beside the program serves every user, whatever memory they give it")
    void cacheBesideTheProgramServesEveryUser() throws Exception {
        Files.writeString(root.resolve("bin/lib/make-cache"), "#!/bin/sh\n: >\"$2/app.aot\"\n");
        Path orlojd = root.resolve("bin/orlojd");
        run(List.of("ORLOJ_AOT=only"), orlojd);

        List<String> environment =
                List.of(
                        "ORLOJ_AOT=on",
                        "HOME=" + folder.resolve("another home"),
                        "XDG_CACHE_HOME=",
                        "ORLOJ_JAVA_OPTS=-Xmx2g -Dx=y");

        assertThat(run(environment, orlojd))
                .contains("-Xmx2g")
                .anyMatch(argument -> argument.startsWith("-XX:AOTCache=" + root.resolve("lib")));
        assertThat(run(List.of("ORLOJ_AOT=on", "ORLOJ_JAVA_OPTS=-XX:+UseZGC"), orlojd))
                .noneMatch(argument -> argument.startsWith("-XX:AOTCache="));
    }

    @Test
    @DisplayName("18: a build from source makes the caches before anything starts")
    void buildMakesTheCaches() throws Exception {
        asCheckout(
                """
                mkdir -p orlojd/target orlojctl/target/dist
                : >orlojd/target/orlojd-1-exec.jar
                : >orlojctl/target/dist/orlojctl.jar
                """);
        Files.writeString(
                root.resolve("bin/lib/make-cache"),
                "#!/bin/sh\necho \"$1\" >>\"$ORLOJ_ROOT/made\"; : >\"$2/app.aot\"\n");

        List<String> started = run(List.of("ORLOJ_AOT=on"), root.resolve("bin/orlojd"));

        assertThat(Files.readAllLines(root.resolve("made"))).containsExactly("orlojctl", "orlojd");
        assertThat(started)
                .anyMatch(
                        argument -> argument.startsWith("-XX:AOTCache=" + root.resolve("target")));
    }

    @Test
    @DisplayName("18: a cache that cannot be made fails neither the build nor the start")
    void buildWithoutACacheStartsAllTheSame() throws Exception {
        asCheckout("mkdir -p orlojd/target; : >orlojd/target/orlojd-1-exec.jar\n");
        Files.writeString(root.resolve("bin/lib/make-cache"), "#!/bin/sh\nexit 1\n");

        assertThat(run(List.of("ORLOJ_AOT=on"), root.resolve("bin/orlojd")))
                .anyMatch(line -> line.startsWith("orlojd: no ahead-of-time cache was made"))
                .contains("-jar");
    }

    /** A source checkout whose build is this script. */
    private void asCheckout(String build) throws IOException {
        Files.writeString(root.resolve("pom.xml"), "");
        for (String module : List.of("api", "runtime", "controllers", "orlojd", "orlojctl")) {
            Files.createDirectories(root.resolve(module));
        }
        Path maven = root.resolve("mvnw");
        Files.writeString(maven, "#!/bin/sh\n" + build);
        assertThat(maven.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void jdkThatIsTooOldIsPassedOver() throws Exception {
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"17.0.15\"\n");

        // The next one that is found is a real JDK, which cannot run the jar of this test.
        assertThat(run(root.resolve("bin/orlojctl"), "version"))
                .anyMatch(line -> line.contains("Invalid or corrupt jarfile"));
    }

    @Test
    void missingJarIsNamed() throws Exception {
        Files.delete(root.resolve("lib/orlojd/orlojd.jar"));

        assertThat(run(root.resolve("bin/orlojd")))
                .containsExactly(
                        "orlojd: '"
                                + root.toRealPath()
                                + "' holds neither lib/orlojd/orlojd.jar nor the sources to build"
                                + " it from");
    }

    @Test
    void quickStartRefusesWhatItDoesNotKnow() throws Exception {
        assertThat(run(root.resolve("bin/quickstart"), "--twice"))
                .first()
                .isEqualTo("quickstart: unknown option '--twice'");
    }

    private List<String> run(Path launcher, String... arguments) throws Exception {
        return run(List.of(), launcher, arguments);
    }

    /** The lines of stdout and stderr. */
    private List<String> run(List<String> environment, Path launcher, String... arguments)
            throws Exception {
        return launchers.run(environment, launcher, arguments);
    }
}

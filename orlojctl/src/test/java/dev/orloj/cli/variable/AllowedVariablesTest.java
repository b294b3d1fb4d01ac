package dev.orloj.cli.variable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

class AllowedVariablesTest {

    private static final Map<String, String> ENVIRONMENT =
            Map.of(
                    "AWS_SECRET_ACCESS_KEY", "hush",
                    "GITHUB_TOKEN", "ghp",
                    "GITHUB_ORG", "acme",
                    "HOME", "/home/me",
                    "EMPTY", "");

    private static AllowedVariables allowed(String... names) {
        return AllowedVariables.of(ENVIRONMENT, List.of(names));
    }

    @Test
    void withoutANameOnlyHarmlessOnesHaveAValue() {
        AllowedVariables variables = allowed();

        assertThat(variables.find("HOME")).contains("/home/me");
        assertThat(variables.find("AWS_SECRET_ACCESS_KEY")).isEmpty();
        assertThat(variables.whyMissing("AWS_SECRET_ACCESS_KEY"))
                .contains("AWS_SECRET_ACCESS_KEY", "--allow-env AWS_SECRET_ACCESS_KEY")
                .doesNotContain("hush");
        assertThat(variables.isNamed("HOME")).isFalse();
    }

    @Test
    void namesAndBeginningsOfNamesAreAllowed() {
        assertThat(allowed("GITHUB_TOKEN").find("GITHUB_TOKEN")).contains("ghp");
        assertThat(allowed("GITHUB_TOKEN").find("GITHUB_ORG")).isEmpty();
        assertThat(allowed("A,GITHUB_*").find("GITHUB_ORG")).contains("acme");
        assertThat(allowed("GITHUB_*").find("AWS_SECRET_ACCESS_KEY")).isEmpty();
        assertThat(allowed("*").find("AWS_SECRET_ACCESS_KEY")).contains("hush");
        assertThat(allowed("EMPTY").find("EMPTY")).isEmpty();
        assertThat(allowed("EMPTY").whyMissing("EMPTY")).isEqualTo("the variable EMPTY is not set");
    }

    @Test
    void thoseOfTheSettingAreAlwaysAllowed() {
        AllowedVariables variables =
                AllowedVariables.of(
                        Map.of(AllowedVariables.SETTING, "A, B_*", "A", "1", "B_C", "2"),
                        List.of());

        assertThat(variables.find("A")).contains("1");
        assertThat(variables.find("B_C")).contains("2");
        assertThat(variables.isNamed("B_C")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GITHUB-TOKEN", "$A", "A=b", "*_KEY", "1A"})
    void whatIsNoNameIsRefused(String name) {
        assertThatThrownBy(() -> allowed(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + name + "\"")
                .hasMessageContaining("--allow-env");
    }

    @Test
    void aLinkOutOfTheFolderCountsAsWhatItLeadsTo(@TempDir Path home) throws IOException {
        Path project = Files.createDirectory(home.resolve("project"));
        Path secret = Files.writeString(home.resolve("credentials"), "hush");
        Path inside = Files.writeString(project.resolve("inside"), "x");
        Path link = Files.createSymbolicLink(project.resolve(".env"), secret);
        ReadableFiles files = ReadableFiles.below(project);

        assertThat(files.allows(inside)).isTrue();
        assertThat(files.allows(link)).isFalse();
        assertThat(files.allows(project.resolve("../credentials"))).isFalse();
        assertThat(ReadableFiles.NONE.allows(inside)).isFalse();
        assertThat(ReadableFiles.ANY.allows(link)).isTrue();
    }
}

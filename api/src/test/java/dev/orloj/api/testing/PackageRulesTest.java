package dev.orloj.api.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.importer.ClassFileImporter;

import org.junit.jupiter.api.Test;

class PackageRulesTest {

    @SuppressWarnings("unused")
    private record Greeting(String goodNews) {}

    @Test
    void inventedWordsAreFoundInAnyCase() {
        assertThat(PackageRules.inventedWords("onNewsOfServer")).containsExactly("news");
        assertThat(PackageRules.inventedWords("MAX_PATIENCE")).containsExactly("patience");
        assertThat(PackageRules.inventedWords("HTTPTold")).containsExactly("told");
    }

    @Test
    void partsOfWordsAndTokensAreNoInventedWords() {
        assertThat(PackageRules.inventedWords("newSessionsByHeartbeatOfBearer")).isEmpty();
        assertThat(PackageRules.inventedWords("notOlderThan")).isEmpty();
    }

    @Test
    void recordComponentWithAnInventedWordFailsTheBuild() {
        assertThatThrownBy(
                        () ->
                                PackageRules.check(
                                        new ClassFileImporter()
                                                .importClasses(
                                                        PackageRulesTest.class, Greeting.class)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("goodNews")
                .hasMessageContaining("use a word of MCP");
    }
}

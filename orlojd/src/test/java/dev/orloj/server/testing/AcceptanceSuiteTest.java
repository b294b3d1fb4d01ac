package dev.orloj.server.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.support.ReflectionSupport;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a plain build leaves out can be run by a Maven profile, which its skip names. */
class AcceptanceSuiteTest {

    private static final List<String> SUITES =
            List.of(
                    AcceptanceSuite.CONFORMANCE,
                    AcceptanceSuite.CLIENTS,
                    AcceptanceSuite.SERVERS,
                    AcceptanceSuite.DOCUMENTS);

    @Test
    void suiteRunsOnlyWhenItIsSelected() {
        assertThat(AcceptanceCondition.evaluate("clients", "none").isDisabled()).isTrue();
        assertThat(AcceptanceCondition.evaluate("clients", "conformance").isDisabled()).isTrue();
        assertThat(AcceptanceCondition.evaluate("clients", "conformance,clients").isDisabled())
                .isFalse();
    }

    @Test
    void skippedSuiteNamesTheCommandThatRunsIt() {
        assertThat(AcceptanceCondition.evaluate("clients", "none").getReason())
                .contains("an acceptance suite: ./mvnw verify -Pclients");
    }

    @Test
    void eachSuiteHasAProfileAndOneProfileHasAll() throws Exception {
        String pom = Files.readString(Path.of("../pom.xml"));

        for (String suite : SUITES) {
            assertThat(pom).contains("<id>" + suite + "</id>", "<groups>" + suite + "</groups>");
        }
        assertThat(pom).contains("<acceptance>" + String.join(",", SUITES) + "</acceptance>");
    }

    @Test
    void classesOfASuiteHaveItsTag() {
        List<Class<?>> classes =
                ReflectionSupport.findAllClassesInPackage(
                        "dev.orloj.server",
                        type -> type.isAnnotationPresent(AcceptanceSuite.class),
                        name -> name.endsWith("Test"));

        assertThat(classes)
                .hasSizeGreaterThanOrEqualTo(5)
                .allSatisfy(
                        type -> {
                            String suite = type.getAnnotation(AcceptanceSuite.class).value();
                            assertThat(SUITES).contains(suite);
                            assertThat(type.getAnnotation(Tag.class).value()).isEqualTo(suite);
                        });
    }
}

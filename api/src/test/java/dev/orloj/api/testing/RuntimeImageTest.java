package dev.orloj.api.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import org.junit.jupiter.api.Test;

import java.util.List;

class RuntimeImageTest {

    private static final JavaClasses LISTENER =
            new ClassFileImporter().importClasses(Listener.class);

    /** Uses a module as orlojctl auth login does. */
    @SuppressWarnings("unused")
    private record Listener(HttpServer server) {}

    @Test
    void moduleThatIsUsedAndNotLinkedFailsTheBuild() {
        RuntimeImage image = new RuntimeImage(List.of("java.se", "jdk.net"));

        assertThatThrownBy(() -> classes().should(image.hasWhatIsUsed()).check(LISTENER))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(
                        "the runtime image lacks the module jdk.httpserver; add it to the modules"
                                + " of deploy/dist/pack");
    }

    @Test
    void modulesThatAnotherOneRequiresAreLinkedToo() {
        RuntimeImage image = new RuntimeImage(List.of("jdk.httpserver"));

        assertThatCode(() -> classes().should(image.hasWhatIsUsed()).check(LISTENER))
                .doesNotThrowAnyException();
    }

    @Test
    void imageOfTheBuildHasTheServerOfTheLoginListener() {
        assertThatCode(
                        () ->
                                classes()
                                        .should(RuntimeImage.ofBuild().hasWhatIsUsed())
                                        .check(LISTENER))
                .doesNotThrowAnyException();
    }
}

package dev.orloj.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import dev.orloj.api.testing.PackageRules;

import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses CLI =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("dev.orloj.cli");

    @Test
    void packagesAreSmallAndHaveNoCycles() {
        PackageRules.check(CLI);
    }

    @Test
    void commandsAreOnTop() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.orloj.cli.http", "dev.orloj.cli.output")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.orloj.cli.command..", "picocli..")
                .check(CLI);
    }

    /** Each of these takes longer to load than a command may take. */
    @Test
    void slowStartersStayOut() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.net.http..", "java.util.logging..", "org.slf4j..")
                .check(CLI);
    }

    @Test
    void classesAreNamedForWhatTheyAre() {
        noClasses()
                .should()
                .haveSimpleNameEndingWith("Impl")
                .orShould()
                .haveSimpleNameEndingWith("Utils")
                .orShould()
                .haveSimpleNameEndingWith("Helper")
                .check(CLI);
    }
}

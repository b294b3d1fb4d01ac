package dev.orloj.api;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import dev.orloj.api.testing.PackageRules;

import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses API =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("dev.orloj.api");

    @Test
    void usesNothingButTheJdkAndJackson() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.orloj.api..",
                        "java..",
                        "tools.jackson..",
                        "com.fasterxml.jackson.annotation..",
                        "org.jspecify.annotations..")
                .check(API);
    }

    @Test
    void kindsKnowTheCodecAndNotTheOtherWayRound() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.orloj.api.v1", "dev.orloj.api.core", "dev.orloj.api.oauth")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.orloj.api.v1", "dev.orloj.api.core")
                .check(API);
    }

    @Test
    void parsersOfYamlStayInTheCodec() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.orloj.api.codec")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("tools.jackson.dataformat..")
                .check(API);
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
                .check(API);
    }

    @Test
    void packagesAreSmallAndHaveNoCycles() {
        PackageRules.check(API);
    }
}

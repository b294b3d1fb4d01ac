package dev.orloj.api;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

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
                .resideOutsideOfPackage("dev.orloj.api.v1")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.orloj.api.v1")
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
    void upperPackagesHaveNoCycles() {
        slices().matching("dev.orloj.api.(v1|codec|client)..").should().beFreeOfCycles().check(API);
    }
}

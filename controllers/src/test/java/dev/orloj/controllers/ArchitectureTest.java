package dev.orloj.controllers;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import dev.orloj.api.testing.PackageRules;

import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses CONTROLLERS =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .withImportOption(new ImportOption.DoNotIncludeJars())
                    .importPackages("dev.orloj.controllers");

    @Test
    void packagesAreSmallAndHaveNoCycles() {
        PackageRules.check(CONTROLLERS);
    }

    @Test
    void machineryKnowsNothingOfTheKindsItIsUsedFor() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.orloj.controllers.workqueue..",
                        "dev.orloj.controllers.informer..",
                        "dev.orloj.controllers.control..",
                        "dev.orloj.controllers.gc..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.orloj.api.v1..", "dev.orloj.api.core..", "dev.orloj.runtime..")
                .check(CONTROLLERS);
    }

    @Test
    void neitherSpringNorJdbcIsUsed() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.springframework..", "java.sql..", "javax.sql..", "org.postgresql..")
                .check(CONTROLLERS);
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
                .check(CONTROLLERS);
    }
}

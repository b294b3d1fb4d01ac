package dev.orloj.runtime;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import dev.orloj.api.testing.PackageRules;

@AnalyzeClasses(
        packages = "dev.orloj.runtime",
        importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static void packagesAreSmallAndHaveNoCycles(JavaClasses classes) {
        PackageRules.check(classes);
    }

    @ArchTest
    static final ArchRule NOTHING_HERE_KNOWS_SPRING_OR_A_DATABASE =
            noClasses()
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("org.springframework..", "java.sql..", "org.postgresql..");

    @ArchTest
    static final ArchRule THE_MCP_SDK_IS_FOR_TESTS =
            noClasses()
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("io.modelcontextprotocol..");

    @ArchTest
    static final ArchRule A_CLASS_IS_NAMED_FOR_WHAT_IT_IS =
            noClasses().should().haveNameMatching(".*(Impl|Utils?|Helper)");

    @ArchTest
    static final ArchRule NOTHING_SLEEPS =
            noClasses()
                    .should()
                    .callMethodWhere(
                            target(name("sleep")).and(target(owner(equivalentTo(Thread.class)))));
}

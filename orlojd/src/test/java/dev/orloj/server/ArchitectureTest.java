package dev.orloj.server;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import dev.orloj.api.testing.PackageRules;
import dev.orloj.server.mcp.protocol.ClientEra;

import org.springframework.web.bind.annotation.RestController;

@AnalyzeClasses(packages = "dev.orloj.server", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static void packagesAreSmallAndHaveNoCycles(JavaClasses classes) {
        PackageRules.check(classes);
    }

    @ArchTest
    static final ArchRule ONLY_THE_STORE_AND_ITS_NEIGHBOURS_KNOW_THE_DATABASE =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(
                            "dev.orloj.server",
                            "dev.orloj.server.backup..",
                            "dev.orloj.server.config..",
                            "dev.orloj.server.leader..",
                            "dev.orloj.server.postgres..",
                            "dev.orloj.server.startup..",
                            "dev.orloj.server.store..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "java.sql..", "org.postgresql..", "org.springframework.jdbc..");

    @ArchTest
    static final ArchRule FIELD_OWNERSHIP_KNOWS_NEITHER_REQUESTS_NOR_STORAGE =
            noClasses()
                    .that()
                    .resideInAPackage("dev.orloj.server.apply..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "dev.orloj.server.rest..",
                            "dev.orloj.server.store..",
                            "jakarta.servlet..",
                            "java.sql..",
                            "org.springframework..");

    @ArchTest
    static final ArchRule THE_COMMAND_LINE_IS_ANOTHER_PROGRAM =
            noClasses().should().dependOnClassesThat().resideInAPackage("dev.orloj.cli..");

    @ArchTest
    static final ArchRule WHAT_ANSWERS_HTTP_IS_AN_ENDPOINT =
            classes()
                    .that()
                    .areAnnotatedWith(RestController.class)
                    .should()
                    .haveSimpleNameEndingWith("Endpoint");

    /** What differs between the revisions of clients is in their era, which is decided once. */
    @ArchTest
    static final ArchRule ONLY_THE_ERA_OF_A_CLIENT_ASKS_FOR_ITS_KIND_OF_REVISION =
            noClasses()
                    .that()
                    .resideInAPackage("dev.orloj.server.mcp..")
                    .and()
                    .doNotHaveFullyQualifiedName(ClientEra.Modern.class.getName())
                    .should()
                    .accessTargetWhere(target(name("isStateless")));

    @ArchTest
    static final ArchRule A_CLASS_IS_NAMED_FOR_WHAT_IT_IS =
            noClasses().should().haveNameMatching(".*(Impl|Utils?|Helper)");
}

package dev.orloj.api.testing;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** The rules that every package of every module follows, roots included. */
public final class PackageRules {

    private static final int MAX_TYPES = 25;

    private static final ArchRule NO_CYCLES =
            slices().matching("dev.orloj.(**)").should().beFreeOfCycles();

    private static final ArchRule FEW_TYPES =
            ArchRuleDefinition.classes()
                    .that()
                    .areTopLevelClasses()
                    .should(shareTheirPackageWithFewOthers());

    private PackageRules() {}

    /** Packages have no cycles and at most 25 types each. */
    public static void check(JavaClasses classes) {
        NO_CYCLES.check(classes);
        FEW_TYPES.check(classes);
    }

    private static ArchCondition<JavaClass> shareTheirPackageWithFewOthers() {
        return new ArchCondition<>("be one of at most %d types in a package".formatted(MAX_TYPES)) {

            private final Map<String, Integer> types = new HashMap<>();

            @Override
            public void init(Collection<JavaClass> all) {
                all.stream()
                        .filter(type -> !type.getSimpleName().equals("package-info"))
                        .forEach(type -> types.merge(type.getPackageName(), 1, Integer::sum));
            }

            @Override
            public void check(JavaClass item, ConditionEvents events) {}

            @Override
            public void finish(ConditionEvents events) {
                types.forEach(
                        (name, count) -> {
                            if (count > MAX_TYPES) {
                                events.add(
                                        SimpleConditionEvent.violated(
                                                name, "%s has %d types".formatted(name, count)));
                            }
                        });
            }
        };
    }
}

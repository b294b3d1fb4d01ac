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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

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

    /** Words for which MCP, Kubernetes and {@code java.util.concurrent} have better ones. */
    private static final Set<String> INVENTED =
            Set.of(
                    "acquaintance",
                    "attend",
                    "attended",
                    "attending",
                    "attends",
                    "bear",
                    "bearing",
                    "bears",
                    "everybody",
                    "haste",
                    "hasty",
                    "hear",
                    "heard",
                    "hearing",
                    "hears",
                    "impatient",
                    "manner",
                    "manners",
                    "neglect",
                    "neglected",
                    "neglects",
                    "news",
                    "nobody",
                    "patience",
                    "patient",
                    "somebody",
                    "tell",
                    "telling",
                    "tells",
                    "told",
                    "untold",
                    "whoever",
                    "wish",
                    "wished",
                    "wishes",
                    "worn");

    private static final Pattern WORDS =
            Pattern.compile("_|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

    private static final ArchRule PLAIN_WORDS =
            ArchRuleDefinition.classes().should(haveNamesOfPlainWords());

    /** Their time is quadratic for keys that a client made collide. */
    private static final ArchRule FROZEN_KEYS =
            ArchRuleDefinition.noClasses()
                    .should()
                    .callMethod(Set.class, "copyOf", Collection.class)
                    .orShould()
                    .callMethod(Map.class, "copyOf", Map.class)
                    .because("dev.orloj.api.Frozen copies them in linear time");

    private static final ArchRule LINKED_MODULES =
            ArchRuleDefinition.classes().should(RuntimeImage.ofBuild().hasWhatIsUsed());

    private PackageRules() {}

    /**
     * Packages have no cycles and at most 25 types each; names have no invented words; sets and
     * maps are copied in linear time; the runtime of the packages has the modules of the JDK that
     * are used.
     */
    public static void check(JavaClasses classes) {
        NO_CYCLES.check(classes);
        FEW_TYPES.check(classes);
        PLAIN_WORDS.check(classes);
        FROZEN_KEYS.check(classes);
        LINKED_MODULES.check(classes);
    }

    /** The invented words in a name in camel case or in capitals. */
    static List<String> inventedWords(String name) {
        return WORDS.splitAsStream(name)
                .map(word -> word.toLowerCase(Locale.ROOT))
                .filter(INVENTED::contains)
                .toList();
    }

    private static ArchCondition<JavaClass> haveNamesOfPlainWords() {
        return new ArchCondition<>("have names without invented words, and so their members") {

            @Override
            public void check(JavaClass item, ConditionEvents events) {
                check(item.getSimpleName(), item.getName(), events);
                item.getMembers().stream()
                        .filter(member -> !member.getName().startsWith("lambda$"))
                        .forEach(member -> check(member.getName(), member.getFullName(), events));
            }

            private void check(String name, String place, ConditionEvents events) {
                inventedWords(name)
                        .forEach(
                                word ->
                                        events.add(
                                                SimpleConditionEvent.violated(
                                                        place,
                                                        ("%s has \"%s\" in its name:"
                                                                        + " use a word of MCP,"
                                                                        + " Kubernetes or"
                                                                        + " java.util.concurrent")
                                                                .formatted(place, word))));
            }
        };
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

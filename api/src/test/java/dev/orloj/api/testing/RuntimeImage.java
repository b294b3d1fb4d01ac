package dev.orloj.api.testing;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.module.ResolvedModule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The Java runtime of the packages, which has a part of the modules of the JDK. Tests run on a
 * whole JDK and do not find that a module is missing.
 */
final class RuntimeImage {

    /** The script that links it, from the folder of a module. */
    private static final Path SCRIPT = Path.of("..", "deploy", "dist", "pack");

    private static final String LIST = "modules=";

    private final Set<String> modules;

    /** The module of each package of the JDK. */
    private final Map<String, String> packages = new HashMap<>();

    /**
     * @param roots modules that the image has, together with those that they require
     */
    RuntimeImage(List<String> roots) {
        ModuleFinder jdk = ModuleFinder.ofSystem();
        this.modules =
                Configuration.empty().resolve(jdk, ModuleFinder.of(), roots).modules().stream()
                        .map(ResolvedModule::name)
                        .collect(Collectors.toUnmodifiableSet());
        jdk.findAll().stream()
                .map(ModuleReference::descriptor)
                .forEach(
                        module ->
                                module.packages()
                                        .forEach(each -> packages.put(each, module.name())));
    }

    /** Returns the one that the build links. */
    static RuntimeImage ofBuild() {
        try {
            return new RuntimeImage(
                    Files.readAllLines(SCRIPT).stream()
                            .filter(line -> line.startsWith(LIST))
                            .map(line -> List.of(line.substring(LIST.length()).split(",")))
                            .findFirst()
                            .orElseThrow(
                                    () -> new IllegalStateException(SCRIPT + " has no " + LIST)));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the module of a package of the JDK, if the image lacks it. */
    private Optional<String> missing(String name) {
        return Optional.ofNullable(packages.get(name)).filter(module -> !modules.contains(module));
    }

    /** Returns the condition that a class uses no module that the image lacks. */
    ArchCondition<JavaClass> hasWhatIsUsed() {
        return new ArchCondition<>("use modules of the runtime image only") {

            @Override
            public void check(JavaClass item, ConditionEvents events) {
                for (Dependency each : item.getDirectDependenciesFromSelf()) {
                    missing(each.getTargetClass().getBaseComponentType().getPackageName())
                            .ifPresent(
                                    module ->
                                            events.add(
                                                    SimpleConditionEvent.violated(
                                                            item,
                                                            "%s: the runtime image lacks the module %s; add it to the modules of deploy/dist/pack"
                                                                    .formatted(
                                                                            each.getDescription(),
                                                                            module))));
                }
            }
        };
    }
}

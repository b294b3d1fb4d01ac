package dev.orloj.server.options;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Prints the configuration that results from the command line, the environment and the files,
 * without starting anything else.
 */
public final class EffectiveConfiguration {

    private static final List<String> SHOWN =
            List.of("orloj.", "server.", "logging.", "management.");

    private EffectiveConfiguration() {}

    public static void print(String[] arguments, PrintStream out) {
        SpringApplication application = new SpringApplication(EffectiveConfiguration.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setLogStartupInfo(false);
        try (ConfigurableApplicationContext context = application.run(arguments)) {
            names(context.getEnvironment())
                    .forEach((name, value) -> out.println(name + "=" + value));
        }
    }

    private static Map<String, String> names(ConfigurableEnvironment environment) {
        Map<String, String> found = new TreeMap<>();
        environment.getPropertySources().stream()
                .filter(EnumerablePropertySource.class::isInstance)
                .flatMap(
                        source ->
                                List.of(((EnumerablePropertySource<?>) source).getPropertyNames())
                                        .stream())
                .filter(name -> SHOWN.stream().anyMatch(name::startsWith))
                .forEach(name -> found.put(name, masked(name, environment.getProperty(name, ""))));
        return found;
    }

    private static String masked(String name, String value) {
        return name.equals("orloj.database.url") ? withoutPassword(value) : value;
    }

    static String withoutPassword(String url) {
        return url.replaceAll("password=[^&]*", "password=***");
    }
}

package dev.orloj.server.options;

import dev.orloj.api.GoDuration;
import dev.orloj.controllers.sandbox.HostFolders;
import dev.orloj.controllers.sandbox.PodPolicy;
import dev.orloj.runtime.network.EndpointAddresses;
import dev.orloj.runtime.workload.ProcessUsers;
import dev.orloj.server.properties.AuthenticationProperties;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Validates the value of an option and converts it to that of its property. */
@FunctionalInterface
interface ValueCheck {

    ValueCheck NONE = (option, text) -> text;

    ValueCheck READABLE =
            (option, text) -> {
                if (!Files.isReadable(Path.of(text))) {
                    throw new IllegalArgumentException(
                            "%s: \"%s\" cannot be read".formatted(option, text));
                }
                return text;
            };

    ValueCheck DATABASE =
            (option, text) -> {
                if (!text.startsWith("jdbc:postgresql:")) {
                    throw new IllegalArgumentException(
                            "%s \"%s\" must start with jdbc:postgresql:"
                                    .formatted(
                                            option, EffectiveConfiguration.withoutPassword(text)));
                }
                return text;
            };

    ValueCheck LOG_FORMAT =
            (option, text) -> {
                expect(List.of("text", "json")::contains, "text or json").value(option, text);
                return text.equals("json") ? "ecs" : "";
            };

    ValueCheck ADDRESSES =
            (option, text) -> {
                try {
                    EndpointAddresses.checked(List.of(text.split(",")));
                    return text;
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(option + " " + e.getMessage(), e);
                }
            };

    ValueCheck PROCESS_USERS =
            (option, text) -> {
                ProcessUsers.objection(List.of(text.split(",", -1)))
                        .ifPresent(
                                why -> {
                                    throw new IllegalArgumentException(option + " " + why);
                                });
                return text;
            };

    ValueCheck SCOPES =
            (option, text) -> {
                for (String scope : text.split(",", -1)) {
                    expect(
                                    AuthenticationProperties::isScope,
                                    "a scope such as mcp:tools, and not offline_access")
                            .value(option, scope);
                }
                return text;
            };

    ValueCheck METADATA_KEYS =
            (option, text) -> {
                new PodPolicy(List.of(text.split(",", -1)));
                return text;
            };

    ValueCheck FOLDERS =
            (option, text) -> {
                HostFolders.of(Stream.of(text.split(",")).map(Path::of).toList(), List.of());
                return text;
            };

    /**
     * @throws IllegalArgumentException with a message for the user
     */
    String value(String option, String text);

    /**
     * @param message a format of the option and its value
     */
    static ValueCheck number(int least, int most, String message) {
        return (option, text) -> {
            int number = Integer.parseInt(text);
            if (number < least || number > most) {
                throw new IllegalArgumentException(message.formatted(option, text));
            }
            return text;
        };
    }

    static ValueCheck duration(Duration least) {
        return (option, text) -> {
            parsed(GoDuration::new).value(option, text);
            Duration duration = new GoDuration(text).toDuration();
            if (duration.compareTo(least) < 0) {
                throw new IllegalArgumentException(
                        "%s %s is too short; give at least %ds"
                                .formatted(option, text, least.toSeconds()));
            }
            return duration.toString();
        };
    }

    /**
     * @param parser throws IllegalArgumentException
     */
    static ValueCheck parsed(Consumer<String> parser) {
        return (option, text) -> {
            try {
                parser.accept(text);
                return text;
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "%s \"%s\": %s".formatted(option, text, e.getMessage()), e);
            }
        };
    }

    static ValueCheck oneOf(String... known) {
        return expect(List.of(known)::contains, "one of " + String.join(", ", known));
    }

    static ValueCheck matching(String pattern, String expected) {
        return expect(Pattern.compile(pattern).asMatchPredicate(), expected);
    }

    static ValueCheck expect(Predicate<String> rule, String expected) {
        return (option, text) -> {
            if (!rule.test(text)) {
                throw new IllegalArgumentException(
                        "%s \"%s\": expected %s".formatted(option, text, expected));
            }
            return text;
        };
    }
}

package dev.orloj.cli.auth;

import dev.orloj.api.oauth.LoginUrl;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Opens the browser of the desktop. */
final class Browser {

    /** Each says that there is a desktop, or which browser there is. */
    private static final List<String> DESKTOPS =
            List.of("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME");

    private final Map<String, String> environment;
    private final String system;

    Browser(Map<String, String> environment) {
        this.environment = environment;
        this.system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    }

    /**
     * Opens a page. The URL is one argument of a program, and no shell reads it.
     *
     * @param url that {@link LoginUrl} permits
     * @return whether a program that opens it has started
     */
    boolean open(URI url) {
        Optional<List<String>> command = command(url.toString());
        if (command.isEmpty()) {
            return false;
        }
        try {
            // What it writes is not for the terminal, and the input is not for it.
            new ProcessBuilder(command.get())
                    .redirectInput(ProcessBuilder.Redirect.PIPE)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .getOutputStream()
                    .close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private Optional<List<String>> command(String url) {
        if (system.startsWith("windows")) {
            return Optional.of(List.of("rundll32", "url.dll,FileProtocolHandler", url));
        }
        if (system.startsWith("mac")) {
            return onPath("open").map(open -> List.of(open, url));
        }
        boolean hasDesktop =
                DESKTOPS.stream().anyMatch(name -> !environment.getOrDefault(name, "").isEmpty());
        return hasDesktop ? onPath("xdg-open").map(open -> List.of(open, url)) : Optional.empty();
    }

    private Optional<String> onPath(String program) {
        return Stream.of(
                        environment
                                .getOrDefault("PATH", "")
                                .split(Pattern.quote(File.pathSeparator)))
                .filter(folder -> !folder.isEmpty())
                .flatMap(folder -> file(folder, program).stream())
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    private static Optional<Path> file(String folder, String program) {
        try {
            return Optional.of(Path.of(folder, program));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}

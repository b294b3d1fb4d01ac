package dev.orloj.cli.clientfile;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * The operating system, and the folders from which the paths of configuration files are computed.
 *
 * @param environment the variables that move such folders
 * @param project the current folder, for clients with a configuration per project
 */
public record Platform(System system, Map<String, String> environment, Path home, Path project) {

    /** The operating systems that differ in where programs keep their files. */
    public enum System {
        LINUX,
        MACOS,
        WINDOWS;

        static System of(String name) {
            String lower = name.toLowerCase(Locale.ROOT);
            if (lower.startsWith("windows")) {
                return WINDOWS;
            }
            return lower.startsWith("mac") ? MACOS : LINUX;
        }
    }

    /** Returns that of this process. */
    public static Platform of(Map<String, String> environment) {
        System system = System.of(java.lang.System.getProperty("os.name", ""));
        String home =
                environment.getOrDefault(system == System.WINDOWS ? "USERPROFILE" : "HOME", "");
        return new Platform(
                system,
                environment,
                Path.of(home.isEmpty() ? java.lang.System.getProperty("user.home", ".") : home),
                Path.of("").toAbsolutePath());
    }

    /** Returns the folder of a variable or, if the variable is empty, one below home. */
    Path folder(String variable, String below) {
        String value = environment.getOrDefault(variable, "");
        return value.isEmpty() ? home.resolve(below) : Path.of(value);
    }

    /** Returns the folder for settings of command-line programs. */
    Path config() {
        return system == System.WINDOWS ? roaming() : folder("XDG_CONFIG_HOME", ".config");
    }

    /** Returns the folder for settings of programs with windows. */
    Path support() {
        return switch (system) {
            case LINUX -> config();
            case MACOS -> home.resolve("Library/Application Support");
            case WINDOWS -> roaming();
        };
    }

    Path roaming() {
        return folder("APPDATA", "AppData/Roaming");
    }

    /** Returns the folder in which bundles are unpacked. */
    public Path bundles() {
        Path data =
                switch (system) {
                    case LINUX -> folder("XDG_DATA_HOME", ".local/share");
                    case MACOS -> home.resolve("Library/Application Support");
                    case WINDOWS -> folder("LOCALAPPDATA", "AppData/Local");
                };
        return data.resolve("orloj").resolve("bundles");
    }

    /** Returns the folder in which Orloj keeps the originals of the files that it has changed. */
    public Path backups() {
        Path state =
                switch (system) {
                    case LINUX -> folder("XDG_STATE_HOME", ".local/state");
                    case MACOS -> home.resolve("Library/Application Support");
                    case WINDOWS -> folder("LOCALAPPDATA", "AppData/Local");
                };
        return state.resolve("orloj").resolve("clients");
    }
}

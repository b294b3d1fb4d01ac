package dev.orloj.cli.importing;

import java.nio.file.Path;
import java.util.Optional;

/** Finds the folder of the project to which a file belongs. */
public final class ClientFolders {

    private ClientFolders() {}

    /** Returns the folder around the file and its hidden folder; empty for a file of the user. */
    public static Optional<Path> project(Path file, Path home) {
        Path folder = file.toAbsolutePath().normalize().getParent();
        while (folder != null
                && folder.getFileName() != null
                && isInner(folder.getFileName().toString())) {
            folder = folder.getParent();
        }
        return Optional.ofNullable(folder)
                .filter(f -> !isOfUser(f, home.toAbsolutePath().normalize()));
    }

    private static boolean isOfUser(Path folder, Path home) {
        return folder.equals(home)
                || folder.startsWith(home.resolve(".config"))
                || folder.startsWith(home.resolve("Library"))
                || folder.startsWith(home.resolve("AppData"));
    }

    private static boolean isInner(String name) {
        return name.startsWith(".") || name.equals("mcpServers") || name.equals("settings");
    }
}

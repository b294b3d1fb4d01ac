package dev.orloj.cli.kubeconfig;

import tools.jackson.databind.JsonNode;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files of {@code --kubeconfig}, of KUBECONFIG or {@code ~/.kube/config}, merged as kubectl
 * merges them: of two entries with one name the first counts. After {@code ~/.kube/config} comes
 * the file of an orlojd of this machine.
 */
public record Kubeconfig(List<KubeconfigFile> files) {

    /** The kubeconfig of the service that the Debian package installs. */
    private static final Path OF_SERVICE = Path.of("/var/lib/orloj/kubeconfig");

    /**
     * @param option the path of {@code --kubeconfig}
     * @throws IllegalArgumentException when a file cannot be read
     */
    public static Kubeconfig load(Optional<String> option, Map<String, String> environment) {
        return new Kubeconfig(
                paths(option, environment).stream().map(KubeconfigFile::read).toList());
    }

    /** Returns the paths of the files, whether they exist or not. */
    static List<Path> paths(Optional<String> option, Map<String, String> environment) {
        return paths(option, environment, OF_SERVICE);
    }

    static List<Path> paths(
            Optional<String> option, Map<String, String> environment, Path service) {
        List<Path> paths = new ArrayList<>();
        try {
            if (option.isPresent()) {
                return List.of(Path.of(option.get()));
            }
            for (String path :
                    environment.getOrDefault("KUBECONFIG", "").split(File.pathSeparator)) {
                if (!path.isBlank()) {
                    paths.add(Path.of(path));
                }
            }
            String home =
                    environment.getOrDefault("HOME", environment.getOrDefault("USERPROFILE", ""));
            if (paths.isEmpty()) {
                if (!home.isEmpty()) {
                    paths.add(Path.of(home, ".kube", "config"));
                }
                paths.addAll(ofThisMachine(environment, service));
            }
            return paths;
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("kubeconfig: " + e.getMessage(), e);
        }
    }

    /**
     * Returns where orlojd writes one for its owner; that of the quickstart comes after it, and
     * that of the service last, for those who may read it, such as root.
     */
    static List<Path> ofThisMachine(Map<String, String> environment) {
        return ofThisMachine(environment, OF_SERVICE);
    }

    static List<Path> ofThisMachine(Map<String, String> environment, Path ofService) {
        String home = environment.getOrDefault("HOME", environment.getOrDefault("USERPROFILE", ""));
        String data = environment.getOrDefault("ORLOJ_DATA_DIR", "");
        String xdg = environment.getOrDefault("XDG_DATA_HOME", "");
        List<Path> service = Stream.of(ofService).filter(Files::isReadable).toList();
        if (home.isEmpty() && data.isBlank() && xdg.isBlank()) {
            return service;
        }
        Path directory =
                !data.isBlank()
                        ? Path.of(data)
                        : xdg.isBlank()
                                ? Path.of(home, ".local", "share", "orloj")
                                : Path.of(xdg, "orloj");
        List<Path> paths = new ArrayList<>();
        paths.add(directory.resolve("kubeconfig"));
        paths.add(directory.resolve("quickstart").resolve("kubeconfig"));
        paths.addAll(service);
        return paths;
    }

    /** Returns whether this machine has the service, and this user may not read its kubeconfig. */
    public static boolean isServiceOfAnother() {
        return isOfAnother(OF_SERVICE);
    }

    static boolean isOfAnother(Path ofService) {
        Path data = ofService.getParent();
        return data != null && Files.isDirectory(data) && !Files.isReadable(data);
    }

    public String currentContext() {
        return files.stream()
                .map(file -> file.root().path("current-context").asString(""))
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElse("");
    }

    /**
     * An entry and the file that it is in, which its relative paths start from.
     *
     * @param content without its name
     */
    public record Entry(KubeconfigFile file, JsonNode content) {}

    /**
     * @param list clusters, contexts or users
     */
    public Optional<Entry> entry(String list, String name) {
        return files.stream()
                .flatMap(
                        file ->
                                file
                                        .entry(list, name)
                                        .map(content -> new Entry(file, content))
                                        .stream())
                .findFirst();
    }

    /** Returns the names of the entries of a list, those of the first file first. */
    public List<String> names(String list) {
        LinkedHashSet<String> names = new LinkedHashSet<>();
        for (KubeconfigFile file : files) {
            file.root()
                    .path(list)
                    .valueStream()
                    .map(entry -> entry.path("name").asString(""))
                    .forEach(names::add);
        }
        return List.copyOf(names);
    }

    /**
     * Returns the file in which to change an entry: the one that has it, or the first.
     *
     * @throws IllegalArgumentException when there is no file, and no folder for one
     */
    public KubeconfigFile fileOf(String list, String name) {
        return entry(list, name).map(Entry::file).orElseGet(this::first);
    }

    /** Returns the file to which new entries are added. */
    public KubeconfigFile first() {
        return files.stream()
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "there is no file to write to: set KUBECONFIG or HOME"));
    }
}

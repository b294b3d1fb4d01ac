package dev.orloj.controllers.secret;

import dev.orloj.api.Frozen;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.Secret;
import dev.orloj.controllers.secret.SecretFolder.Contents;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Secrets that another tool mounts as files, such as the volumes of Kubernetes, the External
 * Secrets Operator or an agent of Vault. The folders are read again at a fixed interval rather than
 * watched: a change of the links that they consist of is no event of the files. Thread-safe.
 */
public final class MountedSecrets implements AutoCloseable {

    /** No folders. */
    public static final MountedSecrets NONE = new MountedSecrets(List.of());

    /** The annotation of a Secret that is read from files: its folder. */
    public static final String MOUNTED = "orloj.dev/mounted-from";

    private static final Logger log = LoggerFactory.getLogger(MountedSecrets.class);
    private static final Contents NOTHING = new Contents(Map.of(), Map.of());

    private final List<SecretFolder> folders;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService rounds;

    /** Replaced as a whole. */
    private volatile Map<SecretFolder, Contents> current = Map.of();

    private volatile Map<SecretFolder, String> failures = Map.of();

    /** Receives the Secrets whose values have changed. */
    interface Listener {

        /**
         * @param namespace empty for all namespaces
         */
        void changed(String namespace, String name);
    }

    /**
     * @param folders an earlier one takes precedence for a name that several have
     */
    public MountedSecrets(List<SecretFolder> folders) {
        this.folders = List.copyOf(folders);
        this.rounds =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofVirtual().name("orloj-mounted-secrets").factory());
    }

    /** Reads the folders, and again at each interval. */
    public void start(Duration interval) {
        poll();
        if (!folders.isEmpty()) {
            long nanos = interval.toNanos();
            rounds.scheduleWithFixedDelay(this::tryPoll, nanos, nanos, TimeUnit.NANOSECONDS);
        }
    }

    void onChange(Listener listener) {
        listeners.add(listener);
    }

    /** A round that fails must not be the last one. */
    private void tryPoll() {
        try {
            poll();
        } catch (RuntimeException e) {
            log.atError().setCause(e).log("The folders of Secrets could not be read");
        }
    }

    /** Reads the folders once, and reports what has changed. */
    synchronized void poll() {
        Map<SecretFolder, Contents> before = current;
        Map<SecretFolder, Contents> after = new HashMap<>();
        Map<SecretFolder, String> failed = new HashMap<>();
        for (SecretFolder folder : folders) {
            Contents known = before.getOrDefault(folder, NOTHING);
            try {
                after.put(folder, folder.read(known));
            } catch (IOException | IllegalArgumentException e) {
                // A folder that cannot be read does not take the Secrets from running servers.
                after.put(folder, known);
                failed.put(
                        folder,
                        e instanceof IOException io
                                ? "\"%s\" cannot be read: %s"
                                        .formatted(folder.path(), SecretFolder.why(io))
                                : String.valueOf(e.getMessage()));
            }
        }
        report(before, after, failed);
        current = Frozen.map(after);
        failures = Frozen.map(failed);
        for (SecretFolder folder : folders) {
            changes(
                            before.getOrDefault(folder, NOTHING).secrets(),
                            after.getOrDefault(folder, NOTHING).secrets())
                    .forEach(name -> notify(folder, name));
        }
    }

    private static Set<String> changes(
            Map<String, Secret.Spec> before, Map<String, Secret.Spec> after) {
        Set<String> changed = new TreeSet<>(before.keySet());
        changed.addAll(after.keySet());
        changed.removeIf(name -> Objects.equals(before.get(name), after.get(name)));
        return changed;
    }

    private void notify(SecretFolder folder, String name) {
        log.atInfo()
                .addKeyValue("secret", name)
                .addKeyValue("folder", folder.path())
                .log("The files of a Secret have changed");
        for (Listener listener : listeners) {
            try {
                listener.changed(folder.namespace(), name);
            } catch (RuntimeException e) {
                log.atError().setCause(e).log("A change of files could not be applied");
            }
        }
    }

    /** Logs a problem once, and not at each interval. */
    private void report(
            Map<SecretFolder, Contents> before,
            Map<SecretFolder, Contents> after,
            Map<SecretFolder, String> failed) {
        failed.forEach(
                (folder, why) -> {
                    if (!why.equals(failures.get(folder))) {
                        log.atWarn()
                                .addKeyValue("error", why)
                                .log("A folder of Secrets cannot be read; its last values stay");
                    }
                });
        after.forEach(
                (folder, contents) -> {
                    Map<String, String> known = before.getOrDefault(folder, NOTHING).problems();
                    contents.problems()
                            .forEach(
                                    (name, why) -> {
                                        if (!why.equals(known.get(name))) {
                                            log.atWarn()
                                                    .addKeyValue("error", why)
                                                    .log("The files of a Secret cannot be used");
                                        }
                                    });
                });
    }

    /** Returns the Secret of a name, for servers of a namespace. */
    public Optional<Secret> find(ResourceKey key) {
        Map<SecretFolder, Contents> now = current;
        for (SecretFolder folder : folders) {
            Secret.Spec spec = now.getOrDefault(folder, NOTHING).secrets().get(key.name());
            if (spec != null && isFor(folder, key)) {
                ObjectMeta metadata =
                        ObjectMeta.of(key.namespace(), key.name())
                                .withAnnotations(Map.of(MOUNTED, folder.path().toString()));
                return Optional.of(
                        new Secret(Secret.KIND.apiVersion(), Secret.KIND.name(), metadata, spec));
            }
        }
        return Optional.empty();
    }

    /** Returns the folder that a Secret was read from; empty for one of the API. */
    public static Optional<String> folder(Secret secret) {
        // Only Secrets of the API have a uid, and a user can give those any annotation.
        return secret.metadata().uid().isEmpty()
                ? Optional.ofNullable(secret.metadata().annotations().get(MOUNTED))
                : Optional.empty();
    }

    /** Returns a Secret without values, as it stands for one in an event. */
    static Secret placeholder(ResourceKey key) {
        return new Secret(
                Secret.KIND.apiVersion(),
                Secret.KIND.name(),
                ObjectMeta.of(key.namespace(), key.name()),
                new Secret.Spec("", Map.of(), false));
    }

    /**
     * Returns what to do, or what is wrong, for a Secret that no folder has; empty for no folder.
     */
    public Optional<String> remedy(ResourceKey key) {
        Map<SecretFolder, Contents> now = current;
        Optional<String> remedy = Optional.empty();
        for (SecretFolder folder : folders) {
            if (isFor(folder, key)) {
                String failure = failures.get(folder);
                String problem =
                        failure == null
                                ? now.getOrDefault(folder, NOTHING).problems().get(key.name())
                                : failure;
                if (problem != null) {
                    return Optional.of(problem);
                }
                remedy =
                        Optional.of(
                                "the folder \"%s\" has no \"%s\""
                                        .formatted(folder.path(), key.name()));
            }
        }
        return remedy;
    }

    private static boolean isFor(SecretFolder folder, ResourceKey key) {
        return folder.namespace().isEmpty() || folder.namespace().equals(key.namespace());
    }

    @Override
    public void close() {
        rounds.shutdownNow();
    }

    @Override
    public String toString() {
        return "MountedSecrets" + folders;
    }
}

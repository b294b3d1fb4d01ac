package dev.orloj.server.startup;

import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationVersion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Refuses a database that a newer orlojd has migrated, because this one does not know what its
 * tables mean now. A migration whose name ends in {@code _beside_V10} states that an orlojd that
 * knows version 10 can go on to use them: then it starts, as replicas do during a rolling upgrade.
 */
public final class NewerDatabase {

    private static final Logger log = LoggerFactory.getLogger(NewerDatabase.class);

    /** The description of a migration, which Flyway makes from its name. */
    private static final Pattern BESIDE = Pattern.compile(".* beside V(\\d{1,9})");

    private NewerDatabase() {}

    /**
     * @param all the migrations that this orlojd has, and those that the database has
     * @throws PreflightException with the versions and the remedy
     */
    public static void require(MigrationInfo... all) {
        MigrationVersion known =
                Arrays.stream(all)
                        .filter(migration -> migration.getState().isResolved())
                        .map(MigrationInfo::getVersion)
                        .filter(Objects::nonNull)
                        .max(Comparator.naturalOrder())
                        .orElse(MigrationVersion.EMPTY);
        List<MigrationInfo> newer =
                Arrays.stream(all)
                        .filter(migration -> migration.getState().isApplied())
                        .filter(migration -> migration.getVersion() != null)
                        .filter(migration -> migration.getVersion().compareTo(known) > 0)
                        .toList();
        if (newer.isEmpty()) {
            return;
        }
        MigrationVersion found = newer.getLast().getVersion();
        if (!newer.stream().allMatch(migration -> allows(migration, known))) {
            throw new PreflightException(
                    "the database has version %s, and this orlojd knows version %s: start the newer orlojd that migrated it; to go back, restore a backup of before into a new database (docs/backup.md)"
                            .formatted(found, known));
        }
        log.atWarn()
                .addKeyValue("found", found)
                .addKeyValue("known", known)
                .log("A newer orlojd has migrated the database; this one can use it, too");
    }

    private static boolean allows(MigrationInfo migration, MigrationVersion known) {
        Matcher beside = BESIDE.matcher(String.valueOf(migration.getDescription()));
        return beside.matches()
                && MigrationVersion.fromVersion(beside.group(1)).compareTo(known) <= 0;
    }
}

package dev.orloj.cli.client;

import dev.orloj.cli.clientfile.Backups;
import dev.orloj.cli.clientfile.ClientFile;
import dev.orloj.cli.clientfile.Edit;
import dev.orloj.cli.clientfile.FileEdit;
import dev.orloj.cli.clientfile.Moved;
import dev.orloj.cli.clientfile.Section;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Replaces entries of one file by that of Orloj.
 *
 * @param entries those that Orloj runs now
 * @param hasOrloj whether the file has an entry of Orloj already
 */
record Move(ClientFile file, List<Section.Entry> entries, boolean hasOrloj) {

    /**
     * Returns the text of the file without the entries.
     *
     * @throws dev.orloj.cli.clientfile.ClientFileException when it is written in a way that cannot
     *     be changed
     */
    ClientFile changed(OrlojEntry orloj) {
        Map<Section, Set<String>> bySection = keys();
        ClientFile current = file;
        int left = bySection.size();
        for (Map.Entry<Section, Set<String>> section : bySection.entrySet()) {
            left--;
            boolean isList = section.getKey().isList();
            Edit edit =
                    new Edit(
                            section.getKey().path(),
                            isList,
                            section.getValue(),
                            orloj.name(),
                            left == 0 && !hasOrloj
                                    ? Optional.of(orloj.in(file, isList))
                                    : Optional.empty());
            current = FileEdit.changed(current, edit);
        }
        return current;
    }

    private Map<Section, Set<String>> keys() {
        Map<Section, Set<String>> bySection = new LinkedHashMap<>();
        for (Section.Entry entry : entries) {
            bySection.computeIfAbsent(entry.section(), _ -> new LinkedHashSet<>()).add(entry.key());
        }
        return bySection;
    }

    /**
     * Changes the file.
     *
     * @return the folder of the backup
     */
    Path write(OrlojEntry orloj, Backups backups, Instant now) {
        String name = hasOrloj ? "" : orloj.name();
        List<Moved> moved = new ArrayList<>();
        keys().forEach(
                        (section, keys) ->
                                moved.add(
                                        new Moved(
                                                section.path(),
                                                section.isList(),
                                                List.copyOf(keys),
                                                name)));
        return backups.change(file, true, changed(orloj).text(), moved, now);
    }
}

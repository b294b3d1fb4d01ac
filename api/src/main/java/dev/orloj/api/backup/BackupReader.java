package dev.orloj.api.backup;

import dev.orloj.api.codec.Json;
import dev.orloj.api.signature.Sha256;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;

/**
 * Reads a backup in one pass, table by table, and verifies it. Only after {@link #next} has
 * returned nothing is it known that the backup is whole. Memory does not depend on the size of the
 * backup. Not safe for use by many threads.
 */
public final class BackupReader {

    private static final String INCOMPLETE =
            "the backup is incomplete: it ends before its checksums; its creation was cut, or the"
                    + " copy was";

    /** In bytes, of the directory of the archive, which repeats the name of each table. */
    private static final int MAX_DIRECTORY = 2 * BackupHeader.MAX_BYTES;

    private final InputStream source;
    private final ZipInputStream zip;
    private final BackupHeader header;
    private final Map<String, MessageDigest> digests = new TreeMap<>();
    private final Iterator<BackupHeader.Table> expected;
    private final RowCounter counter;
    private @Nullable InputStream current;

    /** A table, whose rows are to be read before the next one. */
    public record Entry(BackupHeader.Table table, InputStream rows) {}

    /**
     * Reads the header of a backup that may have the default size.
     *
     * @throws BackupException when it is no backup that this version reads
     */
    public BackupReader(InputStream source) throws IOException {
        this(source, BackupLimits.DEFAULTS);
    }

    /**
     * Reads the header.
     *
     * @throws BackupException when it is no backup that this version reads
     */
    public BackupReader(InputStream source, BackupLimits limits) throws IOException {
        this.source = source;
        this.counter = new RowCounter(limits);
        this.zip = new ZipInputStream(source);
        try {
            ZipEntry first = zip.getNextEntry();
            if (first == null || !first.getName().equals(BackupWriter.HEADER)) {
                throw new BackupException("the file is no backup of Orloj");
            }
            byte[] json = open(BackupWriter.HEADER).readNBytes(BackupHeader.MAX_BYTES + 1);
            if (json.length > BackupHeader.MAX_BYTES) {
                throw new BackupException("the file has no valid header: it is too long");
            }
            header = BackupHeader.parse(json);
        } catch (EOFException e) {
            throw new BackupException(INCOMPLETE, e);
        } catch (ZipException e) {
            throw new BackupException("the file is no backup of Orloj", e);
        }
        expected = header.tables().iterator();
    }

    public BackupHeader header() {
        return header;
    }

    /** Returns what has been read until now. */
    public BackupSize size() {
        return counter.size();
    }

    /**
     * Returns the next table; empty when there is no further one and the backup is whole.
     *
     * @throws BackupException when the backup is damaged, incomplete or exceeds a limit; so does
     *     reading the rows of the table
     */
    public Optional<Entry> next() throws IOException {
        try {
            skipRest();
            ZipEntry entry = zip.getNextEntry();
            if (entry == null) {
                throw new BackupException(INCOMPLETE);
            }
            if (!expected.hasNext()) {
                verify(entry);
                return Optional.empty();
            }
            BackupHeader.Table table = expected.next();
            if (!entry.getName().equals(BackupWriter.TABLES + table.name())) {
                throw damaged(table.name() + " is missing");
            }
            counter.beginTable();
            Checked rows = new Checked(open(entry.getName()), table.name(), counter);
            current = rows;
            return Optional.of(new Entry(table, rows));
        } catch (EOFException e) {
            throw new BackupException(INCOMPLETE, e);
        } catch (ZipException e) {
            throw damaged(String.valueOf(e.getMessage()));
        }
    }

    private InputStream open(String name) {
        MessageDigest digest = Sha256.begin();
        digests.put(name, digest);
        InputStream opened = new DigestInputStream(zip, digest);
        current = opened;
        return opened;
    }

    private void skipRest() throws IOException {
        InputStream open = current;
        if (open != null) {
            open.transferTo(java.io.OutputStream.nullOutputStream());
        }
    }

    private void verify(ZipEntry entry) throws IOException {
        if (!entry.getName().equals(BackupWriter.CHECKSUMS)) {
            throw damaged("\"checksums.json\" is missing");
        }
        byte[] json = zip.readNBytes(BackupHeader.MAX_BYTES + 1);
        if (json.length > BackupHeader.MAX_BYTES) {
            throw damaged("\"checksums.json\" is too long");
        }
        zip.closeEntry();
        JsonNode checksums;
        try {
            checksums = Json.MAPPER.readTree(json);
        } catch (JacksonException e) {
            throw damaged("\"checksums.json\" cannot be read");
        }
        for (Map.Entry<String, MessageDigest> read : digests.entrySet()) {
            String found = HexFormat.of().formatHex(read.getValue().digest());
            if (!checksums.path(read.getKey()).asString("").equals(found)) {
                throw damaged("the checksum of \"%s\" is another one".formatted(read.getKey()));
            }
        }
        skipDirectory();
    }

    /** Reads to the end, so that the sender of the backup is done, too. */
    private void skipDirectory() throws IOException {
        byte[] part = new byte[8 * 1024];
        long skipped = 0;
        for (int read = source.read(part); read >= 0; read = source.read(part)) {
            skipped += read;
            if (skipped > MAX_DIRECTORY) {
                throw damaged("it goes on after its end");
            }
        }
    }

    private static BackupException damaged(String why) {
        return new BackupException("the backup is damaged: " + why + "; take another copy");
    }

    /** Names the table in which the archive is damaged or ends, and counts its rows. */
    private static final class Checked extends InputStream {

        private final InputStream rows;
        private final String table;
        private final RowCounter counter;

        Checked(InputStream rows, String table, RowCounter counter) {
            this.rows = Objects.requireNonNull(rows);
            this.table = table;
            this.counter = counter;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int start, int length) throws IOException {
            try {
                int read = rows.read(bytes, start, length);
                if (read > 0) {
                    counter.count(table, bytes, start, read);
                }
                return read;
            } catch (EOFException e) {
                throw new BackupException(INCOMPLETE, e);
            } catch (ZipException e) {
                throw damaged("\"" + table + "\": " + e.getMessage());
            }
        }
    }
}

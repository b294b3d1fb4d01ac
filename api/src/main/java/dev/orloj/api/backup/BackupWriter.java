package dev.orloj.api.backup;

import dev.orloj.api.codec.Json;
import dev.orloj.api.signature.Sha256;

import tools.jackson.databind.node.ObjectNode;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes a backup as a ZIP archive: the header, a file for each table, and the checksums of all of
 * them in the end, without which a backup is incomplete. Not safe for use by many threads.
 */
public final class BackupWriter {

    static final String HEADER = "backup.json";
    static final String TABLES = "tables/";
    static final String CHECKSUMS = "checksums.json";

    private final ZipOutputStream zip;
    private final ObjectNode checksums = Json.MAPPER.createObjectNode();

    /** Writes the content of an entry. */
    @FunctionalInterface
    public interface Content {

        /**
         * @param out is not to be closed
         */
        void writeTo(OutputStream out) throws IOException;
    }

    /** Writes the header. */
    public BackupWriter(OutputStream out, BackupHeader header) throws IOException {
        zip = new ZipOutputStream(out);
        // The database is read faster than it could be compressed well.
        zip.setLevel(Deflater.BEST_SPEED);
        entry(HEADER, to -> to.write(header.toJson()));
    }

    /** Writes the rows of the next table. */
    public void table(String name, Content rows) throws IOException {
        entry(TABLES + name, rows);
    }

    /** Writes what shows that the backup is complete. The stream below stays open. */
    public void finish() throws IOException {
        byte[] json = Json.MAPPER.writeValueAsBytes(checksums);
        zip.putNextEntry(new ZipEntry(CHECKSUMS));
        zip.write(json);
        zip.closeEntry();
        zip.finish();
        zip.flush();
    }

    private void entry(String name, Content content) throws IOException {
        MessageDigest digest = Sha256.begin();
        zip.putNextEntry(new ZipEntry(name));
        content.writeTo(new Digesting(zip, digest));
        zip.closeEntry();
        checksums.put(name, HexFormat.of().formatHex(digest.digest()));
    }

    /** Computes the digest of what passes. */
    private static final class Digesting extends FilterOutputStream {

        private final MessageDigest digest;

        Digesting(OutputStream out, MessageDigest digest) {
            super(out);
            this.digest = digest;
        }

        @Override
        public void write(int b) throws IOException {
            digest.update((byte) b);
            out.write(b);
        }

        @Override
        public void write(byte[] bytes, int start, int length) throws IOException {
            digest.update(bytes, start, length);
            out.write(bytes, start, length);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }
}

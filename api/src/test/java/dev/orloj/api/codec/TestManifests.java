package dev.orloj.api.codec;

import java.util.List;

/** Reads manifests that must be valid. */
public final class TestManifests {

    private TestManifests() {}

    /**
     * @throws ManifestException for the first one that is not valid
     */
    public static List<Manifest> read(String source, byte[] bytes) {
        return ManifestReader.read(
                source,
                bytes,
                error -> {
                    throw new ManifestException(error);
                });
    }
}

package dev.orloj.cli.importing;

import java.util.List;

/** How a client reaches a server. */
public sealed interface Launch {

    /**
     * It starts a program.
     *
     * @param directory in which it starts; empty for that of the client
     */
    record Program(String command, List<String> args, List<ImportedSetting> env, String directory)
            implements Launch {}

    /** It runs an image. */
    record Image(String image, List<String> args, List<ImportedSetting> env) implements Launch {}

    /**
     * It sends requests.
     *
     * @param isSse whether over HTTP+SSE
     */
    record Endpoint(String url, boolean isSse, List<ImportedSetting> headers) implements Launch {}
}

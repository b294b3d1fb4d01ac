package dev.orloj.server.postgres;

/** What the programs of PostgreSQL see of orlojd's environment: nothing that could be secret. */
final class ServerEnvironment {

    private ServerEnvironment() {}

    static void apply(ProcessBuilder builder) {
        String path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
        builder.environment().clear();
        builder.environment().put("PATH", path);
        builder.environment().put("LC_ALL", "C");
    }
}

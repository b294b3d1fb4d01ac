package dev.orloj.server.postgres;

/** Limits the environment of PostgreSQL's programs to variables that contain no secrets. */
final class ServerEnvironment {

    private ServerEnvironment() {}

    static void apply(ProcessBuilder builder) {
        String path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
        builder.environment().clear();
        builder.environment().put("PATH", path);
        builder.environment().put("LC_ALL", "C");
    }
}

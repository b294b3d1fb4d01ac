package dev.orloj.runtime.testkit;

import java.util.UUID;

/** A container of the test image that only a test owns. Closing removes what is left of it. */
public final class BorrowedContainer implements AutoCloseable {

    private final String name = "orloj-test-" + UUID.randomUUID();

    public BorrowedContainer start() {
        Docker.run(
                "run",
                "--detach",
                "--name",
                name,
                "--entrypoint",
                "sleep",
                "orloj-test/server",
                "600");
        return this;
    }

    public String name() {
        return name;
    }

    public boolean isRunning() {
        return exists() && Docker.inspect(name, "{{.State.Running}}").equals("true");
    }

    public boolean exists() {
        return !Docker.run("ps", "--all", "--quiet", "--filter", "name=" + name).isBlank();
    }

    public void remove() {
        Docker.run("rm", "--force", name);
    }

    @Override
    public void close() {
        if (exists()) {
            remove();
        }
    }
}

package dev.orloj.runtime.container;

import dev.orloj.runtime.testkit.Docker;

/** Variants of the test image. */
public final class Images {

    private Images() {}

    /** The test server as another user. */
    public static String withUser(String user) {
        String container = Docker.run("create", Specs.IMAGE).strip();
        String image = "orloj-test/user-" + user;
        Docker.run("commit", "--change", "USER " + user, container, image);
        Docker.run("rm", container);
        return image;
    }
}

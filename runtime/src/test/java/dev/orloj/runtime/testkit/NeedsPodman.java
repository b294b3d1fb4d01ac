package dev.orloj.runtime.testkit;

import org.junit.jupiter.api.extension.ExtendWith;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test class that runs containers of Podman as root, beside those of Docker, from which it has
 * its image. Without Podman it is skipped and says so, except where the variable {@code CI} is set:
 * there it fails.
 */
@NeedsDocker
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(PodmanCondition.class)
public @interface NeedsPodman {}

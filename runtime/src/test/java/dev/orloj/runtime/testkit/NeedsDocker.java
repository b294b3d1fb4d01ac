package dev.orloj.runtime.testkit;

import org.junit.jupiter.api.extension.ExtendWith;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test class that runs containers of the images of {@code deploy/test-images}, which are built
 * when they are not there. Without an engine it is skipped and says so, except where the variable
 * {@code CI} is set: there it fails.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(DockerCondition.class)
public @interface NeedsDocker {}

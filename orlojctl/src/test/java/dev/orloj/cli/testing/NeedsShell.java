package dev.orloj.cli.testing;

import org.junit.jupiter.api.extension.ExtendWith;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test that runs a shell. Without it the test is skipped and says so, except where the variable
 * {@code CI} is set: there it fails.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ShellCondition.class)
public @interface NeedsShell {

    /** The program, which has the name of its package. */
    String value();
}

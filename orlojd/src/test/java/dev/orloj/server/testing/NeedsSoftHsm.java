package dev.orloj.server.testing;

import org.junit.jupiter.api.extension.ExtendWith;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test class that runs {@code softhsm2-util} and {@code pkcs11-tool}. Without it the class is
 * skipped and says so, except where the variable {@code CI} is set: there it fails.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(SoftHsmCondition.class)
public @interface NeedsSoftHsm {}

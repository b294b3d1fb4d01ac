package dev.orloj.server.testing;

import org.junit.jupiter.api.extension.ExtendWith;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test class that runs programs of package registries against orlojd. A plain build leaves it
 * out; the Maven profile of the same name runs it. The class has the name as its JUnit tag too, so
 * that the profile runs nothing else.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(AcceptanceCondition.class)
public @interface AcceptanceSuite {

    /** {@code conformance}: the official suite and the official clients of MCP. */
    String CONFORMANCE = "conformance";

    /** {@code clients}: clients of Kubernetes. */
    String CLIENTS = "clients";

    /** {@code servers}: MCP servers of npm. */
    String SERVERS = "servers";

    /** {@code documents}: the commands of the pages that users read. */
    String DOCUMENTS = "documents";

    /** One of the names above. */
    String value();
}

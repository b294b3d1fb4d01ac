package dev.orloj.runtime.testkit;

import dev.orloj.runtime.container.ContainerEngine;
import dev.orloj.runtime.container.engine.EngineSettings;
import dev.orloj.runtime.container.spec.ContainerListener;

/** Container engines for tests. */
public final class Engines {

    private Engines() {}

    /** For tests without containers; it is never spoken to. */
    public static ContainerEngine unused() {
        return new ContainerEngine(new EngineSettings("", "test"), ContainerListener.NONE);
    }
}

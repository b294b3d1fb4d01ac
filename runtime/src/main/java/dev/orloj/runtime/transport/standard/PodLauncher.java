package dev.orloj.runtime.transport.standard;

import dev.orloj.api.pod.PodTemplate;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.PodReuse;
import dev.orloj.runtime.workload.Workload;
import dev.orloj.runtime.workload.WorkloadException;

/** Starts a server in a Pod. Thread-safe. */
@FunctionalInterface
public interface PodLauncher {

    /** The launcher of an orlojd that has no cluster. */
    PodLauncher NONE =
            (spec, template, reuse) -> {
                throw new WorkloadException(
                        "this orlojd runs no Pods; start it with --container-engine pod");
            };

    /**
     * @param template what is added to the Pod
     * @param reuse whether a Pod that runs already may be used, and this one later
     * @throws WorkloadException when the Pod cannot be started
     */
    Workload start(ContainerSpec spec, PodTemplate template, PodReuse reuse)
            throws InterruptedException;
}

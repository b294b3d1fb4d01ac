package dev.orloj.runtime.scale;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.pod.ScaleTargetRef;

import java.time.Duration;

/**
 * A server over HTTP, and what runs it in the cluster.
 *
 * @param startup how long the endpoint may take to accept connections after the target was scaled
 */
public record ScaledServer(ResourceKey server, ScaleTargetRef target, Duration startup) {}

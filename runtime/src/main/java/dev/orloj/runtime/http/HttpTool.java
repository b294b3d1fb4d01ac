package dev.orloj.runtime.http;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.argument.ArgumentMode;

import java.time.Duration;

/**
 * A tool that is called at its own HTTP endpoint.
 *
 * @param tool the Tool resource
 * @param request the template of its requests
 * @param timeout timeout of a call
 * @param argumentMode how its arguments are checked
 */
public record HttpTool(
        ResourceKey tool, RequestTemplate request, Duration timeout, ArgumentMode argumentMode) {}

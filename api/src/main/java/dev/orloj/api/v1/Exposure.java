package dev.orloj.api.v1;

import com.fasterxml.jackson.annotation.JsonProperty;

/** A transport for clients of an MCP endpoint, beside the usual one. */
public enum Exposure {
    /** HTTP+SSE, the only one of revision 2024-11-05. */
    @JsonProperty("sse")
    SSE
}

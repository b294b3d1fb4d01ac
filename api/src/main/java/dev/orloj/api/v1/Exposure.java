package dev.orloj.api.v1;

import com.fasterxml.jackson.annotation.JsonProperty;

/** An additional transport for clients of an MCP endpoint. */
public enum Exposure {
    /** HTTP+SSE, the only HTTP transport of revision 2024-11-05. */
    @JsonProperty("sse")
    SSE
}

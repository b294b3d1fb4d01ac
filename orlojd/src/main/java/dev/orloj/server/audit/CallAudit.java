package dev.orloj.server.audit;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.observation.CallId;

import jakarta.servlet.http.HttpServletRequest;

/** Records calls whose request does not show what they call, or which is over before they are. */
@FunctionalInterface
public interface CallAudit {

    /** Records nothing. */
    CallAudit NONE = (_, _) -> Call.NONE;

    /**
     * A call is about to be made.
     *
     * @param tool what the client calls it; its namespace is empty when the client does not say
     * @throws ApiException (ServiceUnavailable) when it could not be recorded, and must not be made
     *     therefore
     */
    Call begin(HttpServletRequest request, ResourceKey tool);

    /** A call in progress. Used by one thread at a time. */
    interface Call {

        Call NONE =
                new Call() {
                    @Override
                    public void found(ResourceKey tool, CallId id) {}

                    @Override
                    public void ended(int code, String error) {}
                };

        /** The tool was found, and is called. */
        void found(ResourceKey tool, CallId id);

        /**
         * The call has ended. Called once.
         *
         * @param code status of HTTP that says the same as the response
         * @param error what went wrong, beyond the code; empty for nothing
         */
        void ended(int code, String error);
    }
}

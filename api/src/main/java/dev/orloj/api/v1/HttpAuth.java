package dev.orloj.api.v1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/** The credential for every request over HTTP to a server, or to the endpoint of a Tool. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record HttpAuth(String secretRef, Profile profile, String headerName) {

    private static final String USUAL_KEY_HEADER = "X-API-Key";

    /** How a credential is sent. */
    public enum Profile {
        @JsonProperty("bearer")
        BEARER,
        @JsonProperty("api_key_header")
        API_KEY_HEADER
    }

    public HttpAuth {
        profile = profile == null ? Profile.BEARER : profile;
        headerName = headerName == null ? "" : headerName;
    }

    /** Returns the header that contains the credential. */
    public String header() {
        return switch (profile) {
            case BEARER -> "Authorization";
            case API_KEY_HEADER -> headerName.isEmpty() ? USUAL_KEY_HEADER : headerName;
        };
    }

    /** Returns the value of that header. */
    public String value(String credential) {
        return switch (profile) {
            case BEARER -> "Bearer " + credential;
            case API_KEY_HEADER -> credential;
        };
    }
}

package dev.orloj.runtime.session.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;

class SessionStateTest {

    @Test
    void namesAreThoseOfTheRestApi() {
        assertThat(SessionState.Name.values())
                .extracting(SessionState.Name::text)
                .containsExactly("Connecting", "Ready", "Draining", "Failed", "Closed");
    }

    @Test
    void everyStateHasItsName() {
        assertThat(SessionState.class.getPermittedSubclasses())
                .extracting(Class::getSimpleName)
                .containsExactlyElementsOf(
                        Arrays.stream(SessionState.Name.values())
                                .map(SessionState.Name::text)
                                .toList());
    }

    @Test
    void sessionIsOverWhenItHasFailedOrIsClosed() {
        assertThat(SessionState.Name.values())
                .filteredOn(SessionState.Name::isOver)
                .containsExactly(SessionState.Name.FAILED, SessionState.Name.CLOSED);
    }
}

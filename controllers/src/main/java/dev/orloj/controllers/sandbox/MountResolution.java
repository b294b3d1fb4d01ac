package dev.orloj.controllers.sandbox;

import dev.orloj.api.FieldError;
import dev.orloj.runtime.container.spec.HostMount;

import java.util.List;

/** The result of resolving the host folders that a Sandbox mounts. */
public sealed interface MountResolution {

    /** Returns why the mounts are refused. Empty if they are allowed. */
    List<FieldError> errors();

    /**
     * @param mounts the folders that were checked, with all links followed
     */
    record Resolved(List<HostMount> mounts) implements MountResolution {

        public Resolved {
            mounts = List.copyOf(mounts);
        }

        @Override
        public List<FieldError> errors() {
            return List.of();
        }
    }

    /** At least one mount is refused. */
    record Refused(List<FieldError> errors) implements MountResolution {

        public Refused {
            errors = List.copyOf(errors);
        }
    }
}

package dev.orloj.controllers.sandbox;

import dev.orloj.api.FieldError;
import dev.orloj.runtime.container.spec.HostMount;

import java.util.List;

/** What comes of the folders of the host that a Sandbox wishes to see. */
public sealed interface MountResolution {

    /** Why they cannot be had; empty when they can. */
    List<FieldError> errors();

    /**
     * @param mounts the folders that have been checked, all links followed
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

    /** At least one of them cannot be had here and now. */
    record Refused(List<FieldError> errors) implements MountResolution {

        public Refused {
            errors = List.copyOf(errors);
        }
    }
}

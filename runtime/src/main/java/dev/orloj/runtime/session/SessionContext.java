package dev.orloj.runtime.session;

import dev.orloj.runtime.transport.Transports;

import java.util.random.RandomGenerator;

/** What all sessions share. */
record SessionContext(
        Transports transports,
        SessionListener listener,
        AlarmClock clock,
        RandomGenerator random,
        SessionSettings settings,
        ProcessRoom room,
        SingletonTenure singletons) {}

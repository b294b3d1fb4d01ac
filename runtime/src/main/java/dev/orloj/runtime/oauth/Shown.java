package dev.orloj.runtime.oauth;

/** Text of others in messages: on one line, without control characters, and not too long. */
final class Shown {

    private static final int MAX_LENGTH = 200;

    private Shown() {}

    static String of(String text) {
        String line = text.replaceAll("[\\p{Cntrl}\\p{Cf}\\s]+", " ").strip();
        return line.length() > MAX_LENGTH ? line.substring(0, MAX_LENGTH) + "..." : line;
    }
}

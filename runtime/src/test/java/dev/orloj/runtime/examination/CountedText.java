package dev.orloj.runtime.examination;

/** A text that counts how often one of its characters is read. */
final class CountedText implements CharSequence {

    private final String text;
    private long reads;

    CountedText(String text) {
        this.text = text;
    }

    long reads() {
        return reads;
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        reads++;
        return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        reads += end - start;
        return text.substring(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}

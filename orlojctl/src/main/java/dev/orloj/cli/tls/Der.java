package dev.orloj.cli.tls;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** The little of DER that turns the older forms of private keys into PKCS #8. */
final class Der {

    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;
    private static final int PARAMETERS = 0xa0;
    private static final byte[] VERSION = HexFormat.of().parseHex("020100");
    private static final byte[] RSA = HexFormat.of().parseHex("300d06092a864886f70d0101010500");
    private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");

    private Der() {}

    private record Element(int tag, byte[] content) {}

    /** Wraps an RSAPrivateKey of PKCS #1. */
    static byte[] ofRsa(byte[] key) {
        return element(SEQUENCE, join(VERSION, RSA, element(OCTETS, key)));
    }

    /** Wraps an ECPrivateKey of RFC 5915, which has its curve in itself. */
    static byte[] ofEc(byte[] key) {
        List<Element> outer = read(key);
        if (outer.size() != 1 || outer.getFirst().tag() != SEQUENCE) {
            throw new IllegalArgumentException("it is no EC private key");
        }
        byte[] curve =
                read(outer.getFirst().content()).stream()
                        .filter(element -> element.tag() == PARAMETERS)
                        .map(Element::content)
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("the key names no curve"));
        byte[] algorithm = element(SEQUENCE, join(EC, curve));
        return element(SEQUENCE, join(VERSION, algorithm, element(OCTETS, key)));
    }

    private static List<Element> read(byte[] der) {
        List<Element> elements = new ArrayList<>();
        int at = 0;
        while (at + 2 <= der.length) {
            int tag = der[at] & 0xff;
            int length = der[at + 1] & 0xff;
            at += 2;
            if (length > 0x80) {
                int count = length & 0x7f;
                length = 0;
                for (int i = 0; i < count && at < der.length && i < 3; i++) {
                    length = length << 8 | der[at++] & 0xff;
                }
            }
            if (length > der.length - at) {
                throw new IllegalArgumentException("the key ends early");
            }
            byte[] content = new byte[length];
            System.arraycopy(der, at, content, 0, length);
            elements.add(new Element(tag, content));
            at += length;
        }
        return elements;
    }

    private static byte[] element(int tag, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        int length = content.length;
        if (length < 0x80) {
            out.write(length);
        } else {
            out.write(0x83);
            out.write(length >> 16);
            out.write(length >> 8);
            out.write(length);
        }
        out.writeBytes(content);
        return out.toByteArray();
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The head of a request; a body is never read.
 *
 * @param method as it came
 * @param path as it came, without the query; nothing in it is decoded
 * @param query after the question mark; empty if there is none
 * @param headers by lower-case name; of several with one name the last
 */
record HttpRequest(String method, String path, String query, Map<String, String> headers) {
  /** Null if it isn't HTTP/1. */
  static HttpRequest parse(final byte[] head, final int length) {
    final String[] lines =
        new String(head, 0, length, StandardCharsets.ISO_8859_1).split("\r?\n", -1);
    final String[] first = lines[0].split(" ", -1);
    if (first.length != 3 || !first[2].startsWith("HTTP/1.") || !first[1].startsWith("/")) {
      return null;
    }
    final Map<String, String> headers = new HashMap<>();
    for (int i = 1; i < lines.length; i++) {
      final int colon = lines[i].indexOf(':');
      if (colon > 0) {
        headers.put(
            lines[i].substring(0, colon).trim().toLowerCase(Locale.ROOT),
            lines[i].substring(colon + 1).trim());
      }
    }
    final int mark = first[1].indexOf('?');
    return new HttpRequest(
        first[0],
        mark < 0 ? first[1] : first[1].substring(0, mark),
        mark < 0 ? "" : first[1].substring(mark + 1),
        headers);
  }

  String header(final String name) {
    return headers.getOrDefault(name, "");
  }
}

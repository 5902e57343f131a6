// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The part of the live page that one kind of facts has for itself: the resources {@code
 * NAME-page.html} and {@code NAME-page.js} beside a class.
 *
 * @param owner the class beside which they lie
 * @param name the first part of their names
 */
public record PagePart(Class<?> owner, String name) {
  String html() {
    return resource(owner, name + "-page.html");
  }

  String script() {
    return resource(owner, name + "-page.js");
  }

  static String resource(final Class<?> owner, final String name) {
    try (InputStream in = owner.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException(name + " is missing in the jar of " + owner.getName());
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

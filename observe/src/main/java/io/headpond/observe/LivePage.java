// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The page at {@code /}: one document with its style and its script in it, put together once. The
 * browser is told to run and load nothing else.
 */
final class LivePage {
  /** What a broker shows. */
  static final String OF_STORE = "store";

  /** What a bookie shows. */
  static final String OF_BOOKIE = "bookie";

  private final HttpResponse response;

  /**
   * Puts one together.
   *
   * @param name whose: {@link #OF_STORE} or {@link #OF_BOOKIE}
   */
  LivePage(final String name) {
    final String style = resource("live-page.css");
    final String script =
        resource("charts.js") + resource("live-page.js") + resource(name + "-page.js");
    final String page =
        resource("live-page.html")
            .replace("<!--MAIN-->", resource(name + "-page.html"))
            .replace("/*STYLE*/", style)
            .replace("/*SCRIPT*/", script);
    response =
        HttpResponse.ok("text/html; charset=utf-8", page)
            .with(
                "Content-Security-Policy",
                "default-src 'none'; connect-src 'self'; img-src data:; base-uri 'none';"
                    + " form-action 'none'; frame-ancestors 'none'; style-src '"
                    + hash(style)
                    + "'; script-src '"
                    + hash(script)
                    + "'");
  }

  HttpResponse response() {
    return response;
  }

  private static String resource(final String name) {
    try (InputStream in = LivePage.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException(name + " is missing in headpond-observe's jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As https://www.w3.org/TR/CSP3/#grammardef-hash-source has it. */
  private static String hash(final String text) {
    try {
      final MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return "sha256-"
          + Base64.getEncoder()
              .encodeToString(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (final NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}

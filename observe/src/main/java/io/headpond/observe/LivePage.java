// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The page at {@code /}: one document with its style and its script in it, put together once. The
 * browser is told to run and load nothing else.
 */
final class LivePage {
  private final HttpResponse response;

  /** Puts the page together around a part of its own. */
  LivePage(final PagePart part) {
    final String style = resource("live-page.css");
    final String script = resource("charts.js") + resource("live-page.js") + part.script();
    final String page =
        resource("live-page.html")
            .replace("<!--MAIN-->", part.html())
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
    return PagePart.resource(LivePage.class, name);
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

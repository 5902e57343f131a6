// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * An answer; the connection ends with it.
 *
 * @param status code and word
 * @param headers more than length, connection and those against misuse
 */
record HttpResponse(String status, String contentType, Map<String, String> headers, byte[] body) {
  static final String OK = "200 OK";
  private static final String PLAIN = "text/plain; charset=utf-8";

  static HttpResponse ok(final String contentType, final String body) {
    return new HttpResponse(OK, contentType, Map.of(), body.getBytes(StandardCharsets.UTF_8));
  }

  /** An error, with its reason as text. */
  static HttpResponse refused(final String status, final String reason) {
    return new HttpResponse(
        status, PLAIN, Map.of(), (reason + "\n").getBytes(StandardCharsets.UTF_8));
  }

  HttpResponse with(final String header, final String value) {
    return new HttpResponse(status, contentType, Map.of(header, value), body);
  }

  ByteBuffer bytes(final boolean withBody) {
    final StringBuilder head = new StringBuilder(256);
    head.append("HTTP/1.1 ").append(status).append("\r\nContent-Type: ").append(contentType);
    head.append("\r\nContent-Length: ").append(body.length);
    head.append("\r\nConnection: close\r\nCache-Control: no-store");
    head.append("\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n");
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    final ByteArrayOutputStream all = new ByteArrayOutputStream(head.length() + 2 + body.length);
    all.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    if (withBody) {
      all.writeBytes(body);
    }
    return ByteBuffer.wrap(all.toByteArray());
  }
}

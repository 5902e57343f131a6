// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.event;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The user that this process runs as, in the words of a message. Any thread. */
public final class ProcessUser {
  /** Java's name for a user whose number has no name, as in a container. */
  private static final String NAMELESS = "?";

  private static final String STATUS = "/proc/self/status";
  private static final Pattern UID = Pattern.compile("^Uid:\\s+\\d+\\s+(\\d+)", Pattern.MULTILINE);

  private ProcessUser() {}

  /** The name; where the system knows none, the number, as {@code uid 1000}. */
  public static String name() {
    return name(System.getProperty("user.name"), STATUS);
  }

  /** As {@code chown} takes it: the name; where the system knows none, the number. */
  public static String owner() {
    return owner(System.getProperty("user.name"), STATUS);
  }

  static String name(final String user, final String status) {
    final String owner = owner(user, status);
    return owner.equals(user) ? user : "uid " + owner;
  }

  static String owner(final String user, final String status) {
    return user.equals(NAMELESS) ? number(status) : user;
  }

  /** True if a file's owner, by Java's name for it, is this user. */
  public static boolean is(final String owner) {
    return owner.equals(System.getProperty("user.name")) || number(STATUS).equals(owner);
  }

  /** Read by a stream: the paths of an engine's default provider aren't to be used here. */
  private static String number(final String status) {
    try (InputStream in = new FileInputStream(status)) {
      final Matcher uid = UID.matcher(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1));
      return uid.find() ? uid.group(1) : NAMELESS;
    } catch (final IOException unknown) {
      return NAMELESS;
    }
  }
}

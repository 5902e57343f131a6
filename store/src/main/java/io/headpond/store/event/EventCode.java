// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.event;

import java.util.Arrays;
import java.util.Iterator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Something that an operator is told, under a code that stays: what, why, and what to do. Declared
 * once, by the module that says it; the log's lines, refusals and the reference page are made from
 * it. Any thread.
 *
 * <p>Design note: it formats its text itself, without the engine's logging, because a refusal may
 * come before that can be started; see {@link Events}.
 *
 * @param code {@code HP} and four digits; never given to anything else again
 * @param severity how bad it is
 * @param what the sentence that is said, without its full stop; <code>{directory}</code> and the
 *     like stand for values, {@link #SIZE} for a number of bytes, which is shown with a unit
 * @param meaning what it means for data, durability and speed
 * @param remedy what to do, said with it; may hold values too
 */
public record EventCode(
    String code, Severity severity, String what, String meaning, String remedy) {

  /** The remedy of a failure whose cause is said with it. */
  static final String SEE_CAUSE =
      "See the cause: make room, correct the permissions, or repair the device (dmesg).";

  /** The remedy of what should never happen. */
  static final String REPORT = "Report it with its stack trace if it comes again.";

  /** The placeholder of a {@link ByteSize}. */
  static final String SIZE = "{size}";

  /** The placeholder of a value in {@link #what} and {@link #remedy}. */
  public static final Pattern VALUE = Pattern.compile("\\{[a-z ]+}");

  /**
   * What is said of one event.
   *
   * @param code what it is
   * @param finding the code and the sentence, without its full stop
   * @param remedy what to do, whole sentences
   */
  public record Words(EventCode code, String finding, String remedy) {
    /** All of it. */
    public String text() {
      return finding + ". " + remedy;
    }

    /** Logs it. */
    public void log() {
      log(null);
    }

    /** The exception that the engine's start is to fail with. */
    public StoreRefusedException refusal() {
      return new StoreRefusedException(this, null);
    }

    private void log(final Throwable cause) {
      if (code.severity == Severity.WARN) {
        Events.LOG.warn(text(), cause);
      } else {
        Events.LOG.error(text(), cause);
      }
    }
  }

  /** The severity of an event. */
  public enum Severity {
    /** The engine's start, or what it asked for, fails with it. */
    REFUSED,
    /** Somebody must act, or a defect of Headpond's showed. */
    ERROR,
    /** Something is not as it should be; Headpond has gone around it. */
    WARN
  }

  /**
   * The whole sentence.
   *
   * @param values one for each that the text holds, in its order; more are left out
   */
  public String text(final Object... values) {
    return words(values).text();
  }

  /**
   * The finding and the remedy, apart.
   *
   * @param values as {@link #text} has them
   */
  public Words words(final Object... values) {
    final Iterator<Object> left = Arrays.asList(values).iterator();
    return new Words(this, code + ' ' + filled(what, left), filled(remedy, left));
  }

  private static String filled(final String pattern, final Iterator<Object> values) {
    final Matcher value = VALUE.matcher(pattern);
    final StringBuilder text = new StringBuilder();
    while (values.hasNext() && value.find()) {
      final String shown = shown(value.group(), values.next());
      value.appendReplacement(text, Matcher.quoteReplacement(shown));
    }
    return value.appendTail(text).toString();
  }

  private static String shown(final String placeholder, final Object value) {
    return placeholder.equals(SIZE) && value instanceof Number bytes
        ? ByteSize.text(bytes.longValue())
        : PlainText.of(value);
  }

  /**
   * Logs it.
   *
   * @param values as {@link #text} has them; a throwable at the end is logged with its stack trace
   */
  public void log(final Object... values) {
    words(values).log(cause(values));
  }

  /**
   * The exception that the engine's start is to fail with.
   *
   * @param values as {@link #text} has them; a throwable at the end is the cause
   */
  public StoreRefusedException refusal(final Object... values) {
    return new StoreRefusedException(words(values), cause(values));
  }

  private static Throwable cause(final Object... values) {
    final Object last = values.length == 0 ? null : values[values.length - 1];
    return last instanceof Throwable cause ? cause : null;
  }
}

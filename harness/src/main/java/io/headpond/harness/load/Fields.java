// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * The components of a record by their names: as text, for another process that has the same record,
 * and as a copy of which some are others.
 *
 * <p>A component is of a type in {@link #READERS}, or a record of such. Lists are of lines; an
 * optional text is never blank.
 */
public final class Fields {

  private static final Map<Class<?>, Function<String, Object>> READERS =
      Map.of(
          int.class, Integer::valueOf,
          long.class, Long::valueOf,
          double.class, Double::valueOf,
          boolean.class, Boolean::valueOf,
          String.class, text -> text,
          List.class, text -> text.lines().toList(),
          Optional.class, text -> Optional.of(text).filter(each -> !each.isBlank()),
          Pace.class, Pace::decode,
          Histogram.class, HistogramText::decode);

  private Fields() {}

  /** For {@link #decode}: the text of each component, or of each of a component's. */
  public static Map<String, String> encode(Record record) {
    Map<String, String> all = new TreeMap<>();
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      Object value = value(record, component);
      if (READERS.containsKey(component.getType())) {
        all.put(component.getName(), text(value));
      } else {
        encode((Record) value)
            .forEach((name, text) -> all.put(component.getName() + "." + name, text));
      }
    }
    return all;
  }

  private static String text(Object value) {
    if (value instanceof Pace pace) {
      return pace.encode();
    }
    if (value instanceof Histogram histogram) {
      return HistogramText.encode(histogram);
    }
    if (value instanceof List<?> lines) {
      return String.join("\n", lines.stream().map(String::valueOf).toList());
    }
    return value instanceof Optional<?> given ? given.map(String::valueOf).orElse("") : "" + value;
  }

  /** The same in one word. */
  public static String word(Record record) {
    return encode(record).entrySet().stream()
        .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), UTF_8))
        .collect(Collectors.joining("&"));
  }

  /** The record that {@link #word} wrote. */
  public static <R extends Record> R decode(Class<R> type, String word) {
    return decode(
        type,
        Stream.of(word.split("&"))
            .map(each -> each.split("=", 2))
            .filter(each -> each.length == 2)
            .collect(Collectors.toMap(each -> each[0], each -> URLDecoder.decode(each[1], UTF_8))));
  }

  /** The record that {@link #encode} gave {@code values} of; there may be more of them. */
  public static <R extends Record> R decode(Class<R> type, Map<String, String> values) {
    return decode(type, values, "");
  }

  private static <R extends Record> R decode(
      Class<R> type, Map<String, String> values, String prefix) {
    return made(
        type,
        component -> {
          String name = prefix + component.getName();
          Function<String, Object> reader = READERS.get(component.getType());
          if (reader == null) {
            return decode(component.getType().asSubclass(Record.class), values, name + ".");
          }
          if (!values.containsKey(name)) {
            throw new IllegalArgumentException("no " + name + " of a " + type.getSimpleName());
          }
          return reader.apply(values.get(name));
        });
  }

  /**
   * A copy.
   *
   * @param others the components that are others, by their names
   */
  @SuppressWarnings("unchecked") // a record's class is that of the record
  public static <R extends Record> R with(R record, Map<String, ?> others) {
    return made(
        (Class<R>) record.getClass(),
        component ->
            others.containsKey(component.getName())
                ? others.get(component.getName())
                : value(record, component));
  }

  private static <R extends Record> R made(
      Class<R> type, Function<RecordComponent, Object> component) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      Constructor<R> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(Arrays.stream(components).map(component).toArray());
    } catch (ReflectiveOperationException e) {
      throw failure(type, e);
    }
  }

  private static Object value(Record record, RecordComponent component) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw failure(record.getClass(), e);
    }
  }

  /** The refusal of a constructor comes through as it is. */
  private static RuntimeException failure(Class<?> type, ReflectiveOperationException e) {
    return e.getCause() instanceof RuntimeException refusal
        ? refusal
        : new IllegalStateException(type + ": " + e, e);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Machine-readable results. Keys are {@code snake_case}, carry their unit, and stay: a key is
 * added, never renamed.
 */
public final class Json {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private Json() {}

  /** Prints {@code result} (a record, a map or a list of those) as one document. */
  public static void print(PrintWriter out, Object result) {
    out.println(text(result));
    out.flush();
  }

  /** Prints {@code result} as one document in one line, for a stream of them. */
  public static void line(PrintWriter out, Object result) {
    out.println(compact(result));
    out.flush();
  }

  /** {@code result} as one document in one line. */
  public static String compact(Object result) {
    try {
      return MAPPER.writer().without(SerializationFeature.INDENT_OUTPUT).writeValueAsString(result);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a result that can't be written as JSON: " + result, e);
    }
  }

  /** Writes {@code result} into {@code file}, replacing it. */
  public static void write(Path file, Object result) throws IOException {
    Files.writeString(file, text(result) + "\n");
  }

  /** {@code result} as a document that more can be put into. */
  public static ObjectNode tree(Object result) {
    return MAPPER.valueToTree(result);
  }

  /**
   * Reads what was written.
   *
   * @throws IllegalArgumentException if {@code file} holds something else than one JSON document
   */
  public static JsonNode read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return MAPPER.readTree(in);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    }
  }

  /**
   * The content of {@code node} as a record. Keys that the record doesn't know are ignored.
   *
   * @throws IllegalArgumentException if a value is of another type
   */
  public static <T> T value(JsonNode node, Class<T> type) {
    try {
      return MAPPER.treeToValue(node, type);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    }
  }

  private static String text(Object result) {
    try {
      return MAPPER.writeValueAsString(result);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a result that can't be written as JSON: " + result, e);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.SizeConverter;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;

/**
 * The value of an option, with its text on a command line, so that the help shows a default as it
 * would be written. A list is replaced by a later one.
 */
record OptionValue<T>(T value, String text) {

  /** A list of words. */
  static OptionValue<List<String>> words(String text) {
    return new OptionValue<>(List.of(text.split(",")), text);
  }

  /** A list of sizes, each as {@link #size} reads it. */
  static OptionValue<List<Integer>> sizes(String text) {
    return new OptionValue<>(
        Stream.of(text.split(",")).map(size -> size(size).value()).toList(), text);
  }

  /** A size in bytes; one that is too large for an array becomes as large as one can be. */
  static OptionValue<Integer> size(String text) {
    return new OptionValue<>((int) Math.min(SizeConverter.parse(text), Integer.MAX_VALUE), text);
  }

  @Override
  public String toString() {
    return text;
  }

  /** Reads {@link #words}. */
  static final class Words implements ITypeConverter<OptionValue<List<String>>> {
    @Override
    public OptionValue<List<String>> convert(String text) {
      return words(text);
    }
  }

  /** Reads {@link #sizes}. */
  static final class Sizes implements ITypeConverter<OptionValue<List<Integer>>> {
    @Override
    public OptionValue<List<Integer>> convert(String text) {
      return sizes(text);
    }
  }

  /** Reads a {@link #size}. */
  static final class Size implements ITypeConverter<OptionValue<Integer>> {
    @Override
    public OptionValue<Integer> convert(String text) {
      return size(text);
    }
  }
}

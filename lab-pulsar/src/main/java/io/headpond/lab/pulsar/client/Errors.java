// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.pulsar.client;

import java.util.ArrayList;
import java.util.List;

/** The first errors of a load's clients, in words. Safe for use by several threads. */
final class Errors {

  private static final int KEPT = 10;

  private final List<String> texts = new ArrayList<>();

  synchronized void add(String who, Throwable error) {
    if (texts.size() < KEPT) {
      texts.add(who + ": " + error);
    }
  }

  synchronized List<String> texts() {
    return List.copyOf(texts);
  }
}

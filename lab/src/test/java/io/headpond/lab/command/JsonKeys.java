// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import java.util.TreeSet;

/** The keys of a document with the path to each; elements of an array have none of their own. */
final class JsonKeys {

  private JsonKeys() {}

  static Set<String> of(JsonNode document) {
    Set<String> all = new TreeSet<>();
    add(document, "", all);
    return all;
  }

  private static void add(JsonNode node, String path, Set<String> all) {
    node.properties()
        .forEach(
            field -> {
              all.add(path + field.getKey());
              add(field.getValue(), path + field.getKey() + ".", all);
            });
    if (node.isArray()) {
      node.forEach(element -> add(element, path, all));
    }
  }
}

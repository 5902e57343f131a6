// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import io.headpond.cli.console.Units;
import io.headpond.pmem.DiskFacts;
import java.util.ArrayList;
import java.util.List;

/** A disk's facts in words. */
final class DiskText {
  private DiskText() {}

  /** Empty if nothing is known. */
  static String of(DiskFacts facts) {
    List<String> words = new ArrayList<>();
    if (facts.model() != null) {
      words.add(facts.model());
    }
    if (facts.rotational() != null && facts.rotational()) {
      words.add("rotational");
    }
    if (facts.zoned() != null && !facts.zoned().equals("none")) {
      words.add("zoned: " + facts.zoned());
    }
    if (facts.writeCache() != null) {
      words.add("write cache: " + facts.writeCache());
    }
    if (facts.fua() != null && facts.fua()) {
      words.add("FUA");
    }
    if (facts.physicalBlockBytes() != null) {
      words.add("blocks of " + Units.bytes(facts.physicalBlockBytes()) + logical(facts));
    }
    return String.join(", ", words);
  }

  private static String logical(DiskFacts facts) {
    Integer logical = facts.logicalBlockBytes();
    return logical == null || logical.equals(facts.physicalBlockBytes())
        ? ""
        : " (addressed by " + Units.bytes(logical) + ")";
  }
}

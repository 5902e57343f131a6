// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.torture.powercut.guest.PowerCutCheck;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The findings of {@link PowerCutCheck}.
 *
 * @param verified acknowledged records that are there with every byte
 * @param lost acknowledged, and not there
 * @param corrupt records and logs that are wrong
 * @param findings in words
 */
record Checked(long verified, long lost, long corrupt, List<String> findings) {
  private static final Pattern LINE =
      Pattern.compile("CHECK verified=(\\d+) lost=(\\d+) corrupt=(\\d+) tail=\\d+");

  /**
   * As a report says.
   *
   * @throws IOException if it has no line of a check
   */
  static Checked of(List<String> report) throws IOException {
    for (String line : report) {
      Matcher check = LINE.matcher(line);
      if (check.matches()) {
        return new Checked(
            Long.parseLong(check.group(1)),
            Long.parseLong(check.group(2)),
            Long.parseLong(check.group(3)),
            report.stream().filter(each -> each.startsWith("BAD ")).toList());
      }
    }
    throw new IOException("nothing was checked: there is no line CHECK in the report " + report);
  }

  @Override
  public String toString() {
    return String.format("found %d, lost %d, corrupt %d", verified, lost, corrupt);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.bookkeeper.JournalSettings;
import io.headpond.bookkeeper.ledger.LedgerKeys;
import io.headpond.store.config.ConfigKey;
import io.headpond.store.config.StoreConfig;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/**
 * The keys are declared once, in {@link ConfigKey}, {@link JournalSettings} and {@link LedgerKeys};
 * the page lists them all, and the example shows none but them. {@code -Dheadpond.docs.write=true}
 * writes the page's tables anew.
 */
class ConfigurationPagesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path PAGE = ROOT.resolve("docs/configuration.md");
  private static final Path EXAMPLE = ROOT.resolve("conf/headpond.properties");
  private static final String START = "<!-- keys: written from ConfigKey -->\n";
  private static final String END = "<!-- end of keys -->\n";

  private static final String JOURNAL_START = "<!-- keys: written from JournalSettings -->\n";
  private static final String JOURNAL_END = "<!-- end of journal keys -->\n";

  private static final String LEDGER_START = "<!-- keys: written from LedgerKeys -->\n";
  private static final String LEDGER_END = "<!-- end of ledger keys -->\n";

  private static String table(List<ConfigKey<?>> keys) {
    StringBuilder table =
        new StringBuilder("| key | value | default | meaning |\n|---|---|---|---|\n");
    for (ConfigKey<?> key : keys) {
      String value = key.type().replace("|", "\\|");
      table.append("| `" + key.name() + "` | " + value + " | " + key.standard() + " | ");
      table.append(key.meaning() + " |\n");
    }
    return table.toString();
  }

  @Test
  void thePageListsExactlyTheKeysThatTheCodeKnows() throws IOException {
    listed(START, END, ConfigKey.ALL);
    listed(JOURNAL_START, JOURNAL_END, JournalSettings.ALL);
    listed(LEDGER_START, LEDGER_END, LedgerKeys.ALL);
  }

  private static void listed(String from, String to, List<ConfigKey<?>> keys) throws IOException {
    String page = Files.readString(PAGE);
    int start = page.indexOf(from) + from.length();
    int end = page.indexOf(to);
    if (Boolean.getBoolean("headpond.docs.write")) {
      page = page.substring(0, start) + table(keys) + page.substring(end);
      Files.writeString(PAGE, page);
      end = page.indexOf(to);
    }
    assertThat(page.substring(start, end))
        .as(
            "run this test with -Dheadpond.docs.write=true to bring docs/configuration.md up to"
                + " date")
        .isEqualTo(table(keys));
  }

  /** Each further key is one more thing that an operator can set wrong. */
  @Test
  void thereAreNoMoreKeysThanOnePersonKeepsInMind() {
    int keys = ConfigKey.ALL.size() + JournalSettings.ALL.size() + LedgerKeys.ALL.size();
    assertThat(keys).isLessThanOrEqualTo(25);
  }

  @Test
  void theExampleIsAValidConfigurationOfAllItShows() throws Exception {
    // Also what is shown as comments; a key that isn't known would be refused.
    String all = Files.readString(EXAMPLE).replace("\n#headpond.", "\nheadpond.");
    Properties properties = new Properties();
    properties.load(new StringReader(all));
    StoreConfig config = StoreConfig.parse(properties, "example", FileSystems.getDefault());
    assertThat(config.given()).as("the example shows every key").hasSize(ConfigKey.ALL.size());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.headpond.store.config.ConfigException;
import io.headpond.store.config.ConfigKey;
import io.headpond.store.config.StoreConfig;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Tag;

/** Whatever a configuration file holds, it is understood or refused with its name. */
@Tag("fuzz")
final class StoreConfigFuzzTest {
  @FuzzTest(maxDuration = "30s")
  void anyBytesAreUnderstoodOrRefusedByName(final byte @NotNull [] bytes) throws IOException {
    final Path file = Files.createTempFile("headpond-fuzz", ".properties");
    try {
      Files.write(file, bytes);
      StoreConfig.load(file);
    } catch (final ConfigException e) {
      assertThat(e).hasMessageContaining(file.toString());
    } finally {
      Files.delete(file);
    }
  }

  @FuzzTest(maxDuration = "30s")
  void anyValueOfAnyKeyIsUnderstoodOrRefusedByName(final int key, @NotNull final String value)
      throws IOException {
    final String name =
        ConfigKey.ALL.get(Math.floorMod(key, ConfigKey.ALL.size())).name().replace("NAME", "pmem");
    final Properties properties = new Properties();
    properties.setProperty("log.dirs", "/var/lib/kafka");
    properties.setProperty("headpond.tiers", "pmem");
    properties.setProperty("headpond.tier.pmem.paths", "/mnt/pmem");
    properties.setProperty(name, value);
    try {
      StoreConfig.parse(properties, "server.properties", FileSystems.getDefault());
    } catch (final ConfigException e) {
      assertThat(e).hasMessageContaining("server.properties");
    }
  }
}

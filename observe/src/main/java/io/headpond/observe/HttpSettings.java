// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.store.config.ConfigException;
import io.headpond.store.config.ConfigKey;
import io.headpond.store.config.ConfigValues;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.event.EventCode;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of the metrics' HTTP port.
 *
 * @param port zero: nowhere
 * @param bind the address, or a name of one, that it listens at
 * @param source what messages call the place of the keys
 */
public record HttpSettings(int port, String bind, String source) {
  /** The keys that an engine's own configuration may have for it. */
  public static final List<ConfigKey<?>> KEYS = List.of(ConfigKey.HTTP_PORT, ConfigKey.HTTP_BIND);

  /** Those of a broker's configuration. */
  public static HttpSettings of(final StoreConfig config) {
    return new HttpSettings(config.httpPort(), config.httpBind(), config.source());
  }

  /**
   * Reads {@link #KEYS} where there is no other configuration of a store.
   *
   * @param keys those that are set
   * @throws ConfigException if a value is refused
   */
  public static HttpSettings parse(final Map<String, String> keys, final String source)
      throws ConfigException {
    final ConfigValues values = new ConfigValues(keys, source);
    return new HttpSettings(
        values.get(ConfigKey.HTTP_PORT), values.get(ConfigKey.HTTP_BIND), source);
  }

  /**
   * Opens the port and closes it again, where no engine of this configuration runs.
   *
   * @return what an engine's start would say of a port that it can't open; empty if it can
   */
  public Optional<EventCode.Words> refusal() {
    try {
      if (port > 0) {
        HttpPort.probe(InetAddress.getByName(bind), port);
      }
      return Optional.empty();
    } catch (final IOException e) {
      return Optional.of(refused(e));
    }
  }

  EventCode.Words refused(final IOException e) {
    return ObserveCodes.PORT_REFUSED.words(source, port, bind, e.toString());
  }
}

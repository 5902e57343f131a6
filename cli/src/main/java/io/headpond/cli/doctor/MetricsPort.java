// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import io.headpond.observe.HttpSettings;
import io.headpond.store.event.EventCode;
import java.util.Optional;

/** The check of the port of an engine's metrics and live page. */
final class MetricsPort {
  private MetricsPort() {}

  /**
   * Tries it; without it an engine goes on.
   *
   * @param running is it open, probably, because the engine runs?
   */
  static void check(HttpSettings http, boolean running, Diagnosis diagnosis) {
    if (http.port() == 0) {
      return;
    }
    Optional<EventCode.Words> refusal = running ? Optional.empty() : http.refusal();
    if (refusal.isPresent()) {
      diagnosis.warning(http.source(), refusal.get().finding(), refusal.get().remedy());
    } else {
      diagnosis.ok(http.source(), "metrics are served at " + http.bind() + ", port " + http.port());
    }
  }
}

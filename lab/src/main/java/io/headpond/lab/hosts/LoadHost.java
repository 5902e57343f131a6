// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.hosts;

import io.headpond.harness.process.Dialogue;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One host that makes load, and what is known of it. One thread but for {@link #close}. */
public final class LoadHost implements AutoCloseable {

  /** An answer's key that says why a host takes no part any more. */
  public static final String FAILED = "failed";

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);
  private static final int EXCHANGES = 8;

  private final String name;
  private final Dialogue dialogue;
  private HostClock clock = new HostClock(0, 0);
  private long acknowledged;
  private long startLateMicrosMax;
  private double cpuSeconds;
  private String failure;

  LoadHost(String name, Dialogue dialogue) {
    this.name = name;
    this.dialogue = dialogue;
  }

  /** The name as it was given. */
  public String name() {
    return name;
  }

  /** The host's clock, as last measured. */
  public HostClock clock() {
    return clock;
  }

  /** Counts what it has answered. */
  public void count(long messages, long lateMicros, double cpuSecondsSoFar) {
    acknowledged += messages;
    startLateMicrosMax = Math.max(startLateMicrosMax, lateMicros);
    cpuSeconds = cpuSecondsSoFar;
  }

  boolean alive() {
    return failure == null;
  }

  void failed(String cause) {
    failure = cause;
    dialogue.close();
  }

  String failure() {
    return failure;
  }

  void send(String command) throws IOException {
    dialogue.send(command);
  }

  Map<String, String> answer(Duration limit) throws IOException, InterruptedException {
    return dialogue.answer(limit);
  }

  Map<String, String> answer() throws IOException, InterruptedException {
    return answer(ANSWER_LIMIT);
  }

  void measureClock() throws IOException, InterruptedException {
    List<HostClock.Exchange> exchanges = new ArrayList<>();
    for (int i = 0; i < EXCHANGES; i++) {
      long sent = HostClock.nowMicros();
      Map<String, String> answer = dialogue.ask("clock", ANSWER_LIMIT);
      long received = HostClock.nowMicros();
      long there = Long.parseLong(answer.get("micros"));
      exchanges.add(new HostClock.Exchange(sent, there, received));
    }
    clock = HostClock.of(exchanges);
  }

  HostReport report() {
    return new HostReport(
        name,
        clock.aheadMicros(),
        clock.roundTripMicros(),
        startLateMicrosMax,
        acknowledged,
        cpuSeconds,
        failure);
  }

  /** Ends its process there; one that the network keeps from hearing of it ends by itself. */
  @Override
  public void close() {
    dialogue.close();
  }
}

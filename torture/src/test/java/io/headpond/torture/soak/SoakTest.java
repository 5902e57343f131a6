// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.cli.console.Progress;
import io.headpond.harness.kafka.VerificationReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a soak counts of its own deeds. */
class SoakTest {
  @Test
  void aKillThatLeavesAnUnfinishedCopyWasOneInAMove() throws Exception {
    KilledSoak soak = new KilledSoak(new Server(true));
    assertThat(soak.kill(true, () -> {}, "again")).doesNotContain("none was");
    assertThat(soak.kill(false, () -> {}, "again")).doesNotContain("none was");
    assertThat(soak.killsInMoves()).isEqualTo(1);
  }

  @Test
  void aKillThatComesAfterTheCopyIsNone() throws Exception {
    KilledSoak soak = new KilledSoak(new Server(false));
    assertThat(soak.kill(true, () -> {}, "again")).contains("none was");
    assertThat(soak.killsInMoves()).isZero();
  }

  /** Copies until it is killed. */
  private static final class Server extends SoakedServer {
    private final boolean leavesCopy;
    private boolean killed;

    Server(boolean leavesCopy) throws IOException {
      super(new Random(1), Map.of(), new OperatorCommands(null, List.of()));
      this.leavesCopy = leavesCopy;
    }

    @Override
    String start() {
      killed = false;
      return "nothing";
    }

    @Override
    void startVanilla() {}

    @Override
    void kill() {
      killed = true;
    }

    @Override
    void stop() {}

    @Override
    boolean running() {
      return !killed;
    }

    @Override
    String tail() {
      return "";
    }

    @Override
    boolean copying() {
      return !killed || leavesCopy;
    }

    @Override
    long pid() {
      return ProcessHandle.current().pid();
    }
  }

  private static final class KilledSoak extends Soak<KafkaSoakEvent, VerificationReport> {
    KilledSoak(Server server) {
      super(
          SoakedEngine.KAFKA,
          server,
          new SoakView(
              new PrintWriter(new StringWriter()),
              new Progress(new PrintWriter(new StringWriter())),
              Duration.ofMinutes(1)),
          1,
          new Random(1),
          new SoakTally<>(
              KafkaSoakEvent.class, VerificationReport.EMPTY, new Footprint(0, 0, 0), 0));
    }

    int killsInMoves() {
      return tally.killsInMoves;
    }

    @Override
    void lap() {}

    @Override
    VerificationReport read() {
      return VerificationReport.EMPTY;
    }

    @Override
    void drain() {}

    @Override
    Duration calmLap() {
      return Duration.ZERO;
    }

    @Override
    long files() {
      return 0;
    }

    @Override
    SoakResult.Records records() {
      return null;
    }

    @Override
    String position() {
      return "";
    }

    @Override
    public void close() {}
  }
}

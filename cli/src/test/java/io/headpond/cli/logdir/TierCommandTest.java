// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.cli.Run;
import io.headpond.store.layout.TierAnswer;
import io.headpond.store.layout.TierAnswer.State;
import io.headpond.store.layout.TierRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TierCommandTest {
  @TempDir private Path folder;

  private LogDirFixture fixture;
  private LockHolder broker;

  @BeforeEach
  void startBroker() throws IOException {
    fixture = new LogDirFixture(folder);
    fixture.tier("nvme");
    broker = new LockHolder(fixture.logDir.resolve(".lock"));
  }

  @AfterEach
  void stopBroker() {
    broker.close();
  }

  private Run tier(String action, String... more) {
    String[] arguments = new String[4 + more.length];
    arguments[0] = "tier";
    arguments[1] = action;
    arguments[2] = fixture.logDir.toString();
    arguments[3] = "nvme";
    System.arraycopy(more, 0, arguments, 4, more.length);
    return Run.of(arguments);
  }

  /** Answers the next request, as a broker does. */
  private CompletableFuture<TierRequest> answer(Function<TierRequest, TierAnswer> answer) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            while (true) {
              Optional<TierRequest> request = TierRequest.read(fixture.logDir);
              if (request.isPresent()) {
                Files.delete(fixture.logDir.resolve(TierRequest.FILE_NAME));
                answer.apply(request.get()).put(fixture.logDir);
                return request.get();
              }
              Thread.onSpinWait();
            }
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void theBrokerIsAskedAndItsAnswerPrinted() {
    CompletableFuture<TierRequest> asked =
        answer(request -> TierAnswer.of(request.id(), State.DONE, "tier nvme is empty"));
    Run run = tier("remove");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("tier nvme is empty");
    assertThat(asked.join().action()).isEqualTo(TierRequest.Action.REMOVE);
    assertThat(asked.join().tier()).isEqualTo("nvme");
    assertThat(fixture.logDir.resolve(TierRequest.FILE_NAME)).doesNotExist();
  }

  @Test
  void aRefusalIsOneLineAndExitCodeOne() {
    answer(request -> TierAnswer.of(request.id(), State.REFUSED, "it is in use already"));
    Run run = tier("add");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err().lines()).singleElement().asString().contains("it is in use already");
  }

  @Test
  void aTierOnTheDeviceOfHomeIsWarnedOf() {
    answer(request -> TierAnswer.of(request.id(), State.DONE, "new segments go there"));
    Run run = tier("add");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("new segments go there", "warning: ", "same file system");
    answer(request -> TierAnswer.of(request.id(), State.DONE, "it is empty"));
    assertThat(tier("remove").out()).doesNotContain("warning");
  }

  @Test
  void aTimeThatIsUpLeavesTheBrokerAtWork() {
    answer(request -> new TierAnswer(request.id(), State.RUNNING, "no room", 3, 3_000_000));
    Run run = tier("remove", "--timeout", "1s");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("3 segments", "no room", "the broker goes on");
  }

  @Test
  void theResultIsJsonIfThatIsAskedFor() {
    answer(request -> new TierAnswer(request.id(), State.RUNNING, "", 3, 3_000_000));
    Run run = tier("remove", "--timeout", "1s", "--json");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains("\"state\" : \"running\"", "\"segments\" : 3", "\"bytes\" : 3000000");
  }

  @Test
  void aBrokerThatDoesNotLookIsNamedAndTheRequestTakenBack() {
    Run run = tier("retry", "--timeout", "1s");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .containsPattern("didn't look at the request within 1\\.\\d+ s; .* a longer --timeout")
        .contains("run without Headpond");
    assertThat(fixture.logDir.resolve(TierRequest.FILE_NAME)).doesNotExist();
  }

  @Test
  void aSecondRequestDoesNotReplaceTheFirst() throws IOException {
    TierRequest first = TierRequest.of(TierRequest.Action.REMOVE, "nvme");
    first.put(fixture.logDir);
    Run run = tier("add");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("another request waits");
    assertThat(TierRequest.read(fixture.logDir)).contains(first);
  }

  @Test
  void withoutABrokerItSaysWhatToDoInstead() {
    broker.close();
    Run run = tier("remove");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("no broker runs", "headpond drain", "--tier nvme");
    assertThat(tier("retry").err()).contains("next start");
  }

  @Test
  void aDirectoryThatIsNotThereIsNamed() {
    Run run = Run.of("tier", "remove", folder.resolve("nowhere").toString(), "nvme");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("nowhere: no such directory");
    assertThat(Run.of("tier", "burn", "x", "nvme").exitCode()).isEqualTo(2);
  }
}

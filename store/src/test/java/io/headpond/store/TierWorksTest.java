// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.pmem.Background;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.TierAnswer;
import io.headpond.store.layout.TierAnswer.State;
import io.headpond.store.layout.TierRequest;
import io.headpond.store.layout.TierRequest.Action;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What an operator is told of a request is about that one. */
final class TierWorksTest {
  private static final String TIER = "nvme";

  private static TierAnswer running(final TierRequest request) {
    return TierAnswer.of(request.id(), State.RUNNING, "");
  }

  /** A tier is given up at the moment in which an operator asks for it again. */
  @Test
  void theEndOfARemovalIsNoAnswerToWhoWantsTheTierBack() {
    final TierRequest removal = TierRequest.of(Action.REMOVE, TIER);
    final TierRequest addition = TierRequest.of(Action.ADD, TIER);
    try (TierWorks works =
        new TierWorks(new Background((name, count, cause) -> {}), TimeSource.SYSTEM)) {
      works.begin(TIER, running(removal));
      final Optional<UUID> asked = works.request(TIER);
      works.begin(TIER, running(addition));
      works.tell(TIER, asked, request -> TierWorks.done(request, "removed"));
      assertThat(works.answer(addition).state()).isEqualTo(State.RUNNING);
      works.tell(TIER, works.request(TIER), request -> TierWorks.done(request, "it is back"));
      assertThat(works.answer(addition).state()).isEqualTo(State.DONE);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.cli.logdir.OtherReplicas.Answer;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.Test;

class OtherReplicasTest {
  private static final int SELF = 1;

  private static List<Node> nodes(Integer... ids) {
    return Stream.of(ids).map(id -> new Node(id, "host", 9092)).toList();
  }

  private static Answer answer(Node leader, List<Node> replicas, List<Node> inSync) {
    return OtherReplicas.of(new TopicPartitionInfo(0, leader, replicas, inSync), SELF);
  }

  @Test
  void aLeaderElsewhereHasEverythingOnceThisOneIsOut() {
    assertThat(answer(nodes(2).get(0), nodes(1, 2, 3), nodes(2, 3))).isEqualTo(Answer.IN_SYNC);
    assertThat(Answer.IN_SYNC.safe()).isTrue();
  }

  @Test
  void aBrokerThatStillCountsMayBeMadeTheLeader() {
    assertThat(answer(nodes(2).get(0), nodes(1, 2), nodes(1, 2))).isEqualTo(Answer.STILL_COUNTED);
    assertThat(answer(nodes(1).get(0), nodes(1, 2), nodes(1, 2))).isEqualTo(Answer.STILL_COUNTED);
    assertThat(Answer.STILL_COUNTED.safe()).isFalse();
  }

  @Test
  void inSyncReplicasThatAreAllDownBringNothingBack() {
    assertThat(answer(null, nodes(1, 2, 3), nodes(3))).isEqualTo(Answer.NOT_IN_SYNC);
    assertThat(answer(Node.noNode(), nodes(1, 2, 3), nodes(3))).isEqualTo(Answer.NOT_IN_SYNC);
  }

  @Test
  void theLastInSyncReplicaHasNobodyToAsk() {
    assertThat(answer(null, nodes(1, 2, 3), nodes(1))).isEqualTo(Answer.NOT_IN_SYNC);
    assertThat(answer(null, nodes(1), nodes(1))).isEqualTo(Answer.NONE);
    assertThat(Answer.NONE.safe()).isFalse();
  }
}

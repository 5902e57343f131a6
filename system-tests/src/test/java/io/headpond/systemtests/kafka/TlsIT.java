// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.kafka.PlugIn;
import io.headpond.harness.kafka.Topics;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.systemtests.Workspace;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A broker that encrypts: it reads segments into memory instead of handing files to the socket.
 * Switched on by the class path, the other way than all other tests.
 */
@Tag("extra")
class TlsIT {

  private static final String PASSWORD = "only-for-tests";

  @Test
  void recordsAreReadWholeThroughTls() throws Exception {
    try (Workspace workspace = Workspace.create("tls");
        HeadpondBroker broker =
            new HeadpondBroker(workspace, Engine.KAFKA.current(), JavaHome.current(), 1, "logs")) {
      KafkaNode node = broker.node().with(PlugIn.find(PlugIn.Start.CLASS_PATH));
      String store = keyStore(workspace.folder("keys").resolve("broker.p12")).toString();
      node.set(
              "listeners",
              "SSL://127.0.0.1:"
                  + node.brokerPort()
                  + ",CONTROLLER://127.0.0.1:"
                  + node.controllerPort())
          .set("advertised.listeners", "SSL://127.0.0.1:" + node.brokerPort())
          .set("inter.broker.listener.name", "SSL")
          .set("listener.security.protocol.map", "SSL:SSL,CONTROLLER:PLAINTEXT")
          .set("ssl.keystore.type", "PKCS12")
          .set("ssl.keystore.location", store)
          .set("ssl.keystore.password", PASSWORD)
          .set("ssl.key.password", PASSWORD)
          .set("ssl.truststore.type", "PKCS12")
          .set("ssl.truststore.location", store)
          .set("ssl.truststore.password", PASSWORD)
          .setForClients("security.protocol", "SSL")
          .setForClients("ssl.truststore.type", "PKCS12")
          .setForClients("ssl.truststore.location", store)
          .setForClients("ssl.truststore.password", PASSWORD)
          .format()
          .start();
      Topics.create(node, "secret", 2, 1, Map.of("segment.bytes", "1048576"));
      Workload workload =
          new Workload(
              WorkloadSettings.of("secret", 2, 17).recordsMax(15_000), node.clientProperties());
      broker.add(workload, Expect.EVERYTHING).start().await();
      assertThat(broker.placement("secret")[0]).isGreaterThan(4);
      broker.verifyEverythingAndLeave();
    }
  }

  private static Path keyStore(Path file) throws Exception {
    Process keytool =
        new ProcessBuilder(
                JavaHome.current().path().resolve("bin/keytool").toString(),
                "-genkeypair",
                "-alias",
                "broker",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=127.0.0.1",
                "-ext",
                "SAN=IP:127.0.0.1",
                "-validity",
                "30",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD,
                "-keypass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(keytool.waitFor()).as(output).isZero();
    return file;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests;

import java.util.List;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** What an engine shows of Headpond by JMX. */
public final class Monitored {

  private Monitored() {}

  /** What opens an engine's JMX port to this machine. */
  public static List<String> jmxArguments(int port) {
    return List.of(
        "-Dcom.sun.management.jmxremote.port=" + port,
        "-Dcom.sun.management.jmxremote.host=127.0.0.1",
        "-Dcom.sun.management.jmxremote.authenticate=false",
        "-Dcom.sun.management.jmxremote.ssl=false",
        "-Djava.rmi.server.hostname=127.0.0.1");
  }

  /** The value of one attribute of a bean {@code io.headpond:...}. */
  public static double overJmx(int port, String bean, String attribute) throws Exception {
    return ofBean(port, "io.headpond:" + bean, attribute);
  }

  /** The value of one attribute of any bean, the engine's own too. */
  public static double ofBean(int port, String bean, String attribute) throws Exception {
    JMXServiceURL url =
        new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi");
    try (JMXConnector connector = JMXConnectorFactory.connect(url)) {
      MBeanServerConnection server = connector.getMBeanServerConnection();
      return ((Number) server.getAttribute(new ObjectName(bean), attribute)).doubleValue();
    }
  }
}

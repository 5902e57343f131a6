// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.bookkeeper;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Asks a ZooKeeper server for a node by its wire protocol (zookeeper.jute: ConnectRequest,
 * ExistsRequest, Stat, DeleteRequest): the little that this needs, without a client library that
 * would clash with an engine's own.
 */
final class ZooKeeperQuery {

  private static final int TIMEOUT_MILLIS = 5_000;
  private static final int PASSWORD_BYTES = 16;
  private static final int DELETE = 2;
  private static final int EXISTS = 3;
  private static final int ANY_VERSION = -1;
  private static final int CLOSE_SESSION = -11;
  private static final int NO_NODE = -101;

  private ZooKeeperQuery() {}

  /** The transaction that created a node; -1 if there is none. */
  static long created(int port, String path) throws IOException {
    return ask(
        port,
        EXISTS,
        path,
        request -> request.writeBoolean(false), // no watch
        DataInputStream::readLong);
  }

  /** Removes a node, if it is there. */
  static void delete(int port, String path) throws IOException {
    ask(port, DELETE, path, request -> request.writeInt(ANY_VERSION), answer -> 0);
  }

  private interface Answer {
    long read(DataInputStream answer) throws IOException;
  }

  /** Asks for one thing in a session of its own; -1 if there is no such node. */
  private static long ask(int port, int operation, String path, Body rest, Answer answer)
      throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      DataInputStream in = new DataInputStream(socket.getInputStream());
      send(
          out,
          request -> {
            request.writeInt(0); // protocol version
            request.writeLong(0); // last transaction seen
            request.writeInt(TIMEOUT_MILLIS);
            request.writeLong(0); // a new session
            request.writeInt(PASSWORD_BYTES);
            request.write(new byte[PASSWORD_BYTES]);
            request.writeBoolean(false);
          });
      in.skipNBytes(in.readInt());
      byte[] name = path.getBytes(StandardCharsets.UTF_8);
      send(
          out,
          request -> {
            request.writeInt(1); // number of the request
            request.writeInt(operation);
            request.writeInt(name.length);
            request.write(name);
            rest.write(request);
          });
      in.readInt(); // length
      in.readInt(); // number of the request
      in.readLong(); // transaction
      int error = in.readInt();
      long found = error == 0 ? answer.read(in) : -1;
      send(
          out,
          request -> {
            request.writeInt(2);
            request.writeInt(CLOSE_SESSION);
          });
      if (error != 0 && error != NO_NODE) {
        throw new IOException("ZooKeeper answers with error " + error + " for " + path);
      }
      return found;
    }
  }

  private interface Body {
    void write(DataOutputStream request) throws IOException;
  }

  private static void send(DataOutputStream out, Body body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    body.write(new DataOutputStream(bytes));
    out.writeInt(bytes.size());
    bytes.writeTo(out);
    out.flush();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * The rigs of all variants of one engine, side by side in folders of their own. {@link #start}
 * belongs to one thread; {@link #close} may be called by another to end everything: it kills the
 * engines and removes the folders.
 */
public interface Rigs extends Closeable {

  /** Starts them; one that doesn't come up is an error. */
  List<Rig> start() throws IOException, InterruptedException;

  /** The engine's name, as people write it. */
  String engine();

  /** Full version of the engine. */
  String version();

  /** The place of each variant, and what its device keeps, in words. */
  Map<String, String> places() throws IOException;
}

// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.SimulatedFileSystem;
import io.headpond.store.layout.SegmentMove;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Devices that remember what is durable on them, over real files in a folder for each, and can say
 * what a power cut at this instant would leave.
 *
 * <p>A file's bytes are durable after a force of the file; in persistent memory, what was stored
 * into a mapping is after a write-back of its cache lines and a fence. An entry of a directory
 * (made, renamed, deleted, linked) is durable after a force of that directory, and of no other; a
 * force takes with it what the entry was before. What a power cut leaves of the rest: {@link
 * ModelCut}.
 *
 * <p>All operations run one by one. {@link #event} comes before each, on the thread that does it.
 */
final class ModelDisk implements AutoCloseable {
  /** What a program with a certain defect would have done; a correct one does nothing of this. */
  interface Defect {
    default boolean skipsForce() {
      return false;
    }

    default boolean dropsWrite() {
      return false;
    }

    /** Is a failed force taken for one that was done? */
    default boolean trustsFailedForce() {
      return false;
    }

    /** Are cache lines written back, but not waited for? */
    default boolean skipsFence() {
      return false;
    }

    /** Are cache lines written back only when the next ones are stored to? */
    default boolean writesBackLate() {
      return false;
    }

    /** Is a file that was renamed from this name left out of the force of its directory? */
    default boolean leavesOut(final String renamedFrom) {
      return false;
    }

    default long size(final ModelNode node, final long bytes) {
      return bytes;
    }

    /** Does a name still mean its former file when the program takes it for replaced? */
    default boolean keepsName(final Path name) {
      return false;
    }

    /** A file was renamed, whatever its caller is told: an I/O error, or an error of the JVM. */
    default void renamed(final Path source, final Path target) throws IOException {}

    /** A name's attributes are asked for. */
    default void looked(final Path name) throws IOException {}

    /** A descriptor was closed, whatever its user is told. */
    default void closed(final Path path) throws IOException {}

    /** What a power cut finds deleted already when a rename is yet to come; null: nothing. */
    default Path losesBefore(final Path source, final Path target) throws IOException {
      return null;
    }
  }

  /** Who goes on: told of each call before it is made, by a thread that holds no monitor here. */
  interface Turns {
    /**
     * Returns when the calling thread may go on.
     *
     * @param made was the call made, and is about to return? False: it is about to be made
     */
    void await(ModelFaults.Call call, Path path, boolean made);

    /** Returns when the calling thread may be told what room a device has. */
    default void awaitSpace(final Path path) {}
  }

  private final ModelNames names = new ModelNames();
  private final List<FileChannel> opened = new ArrayList<>();

  /** The product's, by what they were opened by. */
  private final Map<ModelChannel, Path> channels = new ConcurrentHashMap<>();

  private final ModelFaults faults = new ModelFaults();
  private final ModelThrowables throwables = new ModelThrowables();
  private Runnable listener = () -> {};
  private Defect defect = new Defect() {};
  private volatile Turns turns = (call, path, made) -> {};

  private volatile OptionalLong blockBytes = OptionalLong.empty();
  private long pooled;

  /**
   * A new device in an empty folder.
   *
   * @param memory is it persistent memory, with DAX?
   */
  synchronized void add(final Path root, final boolean memory) {
    names.add(new ModelDevice(root, memory));
  }

  /** No device keeps the order of what isn't forced. */
  synchronized void forgetOrder() {
    names.devices().forEach(ModelDevice::forgetOrder);
  }

  /** Is called before each operation, under this object's monitor. */
  synchronized void listen(final Runnable told) {
    listener = told;
  }

  /** From now on threads take turns. */
  void schedule(final Turns order) {
    turns = order;
  }

  /** The calling thread is about to make a call. */
  void turn(final ModelFaults.Call call, final Path path) {
    turn(call, path, false);
  }

  /** The calling thread has made a call: others may go on before it returns, and is known of. */
  void returning(final ModelFaults.Call call, final Path path) {
    turn(call, path, true);
  }

  private void turn(final ModelFaults.Call call, final Path path, final boolean made) {
    if (names.device(path) != null && !Thread.holdsLock(this)) {
      turns.await(call, path, made);
    }
  }

  synchronized void plant(final Defect planted) {
    defect = planted;
  }

  /** Prepared files that left a pool for their use. */
  synchronized long pooled() {
    return pooled;
  }

  /** What fails. */
  ModelFaults faults() {
    return faults;
  }

  /** Something is asked of a device; it may fail. */
  void call(final ModelFaults.Call call, final Path path) throws IOException {
    turn(call, path);
    if (call == ModelFaults.Call.ATTRIBUTES) {
      defect.looked(path);
    }
    final ModelDevice device = names.device(path);
    if (device != null) {
      faults.before(call, device.root, path);
      outside(call.name());
    }
  }

  /** The product asks for something outside its own code, which may throw. */
  void outside(final String what) {
    if (throwables.counting()) {
      throwables.before(what, faults.caller());
    }
  }

  /** What throws. */
  ModelThrowables throwables() {
    return throwables;
  }

  /** An instant at which the power may go. */
  synchronized void event() {
    listener.run();
  }

  /** Every device says that its blocks have so many bytes. */
  void blockBytes(final long bytes) {
    blockBytes = OptionalLong.of(bytes);
  }

  /** What the devices say of their blocks; empty: what the real one says. */
  OptionalLong blockBytes() {
    return blockBytes;
  }

  /** Does the path's device refuse whatever needs room? */
  boolean full(final Path path) {
    turns.awaitSpace(path);
    final ModelDevice device = names.device(path);
    return device != null && faults.full(device.root);
  }

  synchronized FileChannel open(
      final Path path, final Set<? extends OpenOption> options, final FileAttribute<?>... with)
      throws IOException {
    final ModelNode found = names.find(path);
    call(found == null ? ModelFaults.Call.CREATE : ModelFaults.Call.OPEN, path);
    if (found != null && options.contains(StandardOpenOption.WRITE)) {
      faults.beforeWriter(found.device.root, path);
    }
    event();
    final FileChannel real = FileChannel.open(path, options, with);
    if (names.device(path) == null) {
      return real;
    }
    final ModelNode node = found == null ? file(path) : found;
    if (found == null) {
      names.enter(node, path);
    } else if (options.contains(StandardOpenOption.TRUNCATE_EXISTING)) {
      node.device.cut(node, 0);
      node.forgive();
    }
    final boolean dsync = options.contains(StandardOpenOption.DSYNC);
    final ModelChannel channel = new ModelChannel(this, node, path, real, dsync);
    channels.put(channel, path);
    return channel;
  }

  private ModelNode file(final Path path) throws IOException {
    final FileChannel content =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    opened.add(content);
    return ModelNode.file(names.device(path), content);
  }

  synchronized void createDirectory(final Path path, final FileAttribute<?>... with)
      throws IOException {
    call(ModelFaults.Call.MAKE_DIRECTORY, path);
    event();
    Files.createDirectory(path, with);
    names.enter(ModelNode.directory(names.device(path)), path);
  }

  synchronized void createLink(final Path link, final Path target) throws IOException {
    call(ModelFaults.Call.LINK, link);
    event();
    Files.createSymbolicLink(link, target);
    names.enter(ModelNode.link(names.device(link), target), link);
  }

  synchronized void delete(final Path path) throws IOException {
    call(ModelFaults.Call.DELETE, path);
    event();
    Files.delete(path);
    names.leave(path);
  }

  synchronized void move(final Path source, final Path target, final CopyOption... options)
      throws IOException {
    call(ModelFaults.Call.RENAME, source);
    if (defect.keepsName(target)) {
      return;
    }
    final Path lost = defect.losesBefore(source, target);
    if (lost != null) {
      names.leave(lost);
    }
    event();
    Files.move(source, target, options);
    pooled += source.getParent().endsWith("pool") ? 1 : 0;
    names.rename(source, target);
    defect.renamed(source, target);
    if (SegmentMove.isTemporary(ModelNames.name(source))) {
      outside("RENAME, done,");
    }
  }

  synchronized void truncate(
      final ModelNode node, final Path path, final FileChannel real, final long size)
      throws IOException {
    call(ModelFaults.Call.TRUNCATE, path);
    event();
    if (size < real.size()) {
      real.truncate(size);
      node.device.cut(node, size);
    } else {
      real.truncate(size); // moves the position
    }
  }

  /** The sizes of all files below a directory whose names don't begin so. */
  synchronized long bytes(final Path directory, final String leftOut) {
    final ModelNode found = names.find(directory);
    return found == null ? 0 : found.bytes(leftOut);
  }

  long size(final ModelNode node, final long bytes) {
    return defect.size(node, bytes);
  }

  boolean isMemory(final ModelNode node) {
    return node.device.memory;
  }

  boolean dropsWrite() {
    return defect.dropsWrite();
  }

  /** A mapping of a file. */
  synchronized SimulatedFileSystem.Stores map(final Path path) throws IOException {
    call(ModelFaults.Call.MAP, path);
    final ModelNode node = names.find(path);
    return (position, source, from, length) -> {
      call(ModelFaults.Call.STORE, path);
      event();
      // What is stored is seen at once, and may reach the device before it is written back.
      node.put(position, source.slice(from, length / 2));
      event();
      node.put(position + length / 2, source.slice(from + length / 2, length - length / 2));
      writeBack(node, position, length);
    };
  }

  private synchronized void writeBack(final ModelNode node, final long position, final int length) {
    event();
    if (defect.skipsFence()) {
      return;
    }
    if (defect.writesBackLate()) {
      node.writeBackLate(position, length);
    } else {
      node.writeBack(position, length);
    }
  }

  /** What was written to a file, or entered into a directory, is durable. */
  synchronized void force(final ModelNode node, final Path path, final ModelChannel by)
      throws IOException {
    if (by.failuresTold < node.failures && !defect.trustsFailedForce()) {
      by.failuresTold = node.failures;
      throw new IOException(ModelFaults.Reason.INPUT_OUTPUT.words.get(0));
    }
    try {
      force(node, path);
    } finally {
      by.failuresTold = node.failures;
    }
  }

  /**
   * What was just written to a range of a file is durable, and with it that the file is so long and
   * what it was cut to before: {@code O_DSYNC} (open(2)). What was written elsewhere isn't. A
   * failure before doesn't matter: the range is new to the kernel. Nor does a failure here matter
   * to the rest of the file: Linux waits for the range, and then for the file's size.
   */
  synchronized void forceRange(
      final ModelNode node, final Path path, final long from, final int length) throws IOException {
    if (!asked(node, path, () -> node.forget(from, from + length))) {
      return;
    }
    event();
    if (!defect.skipsForce()) {
      node.device.forceRange(node, from, length);
    }
  }

  /** Asks a device to force something. False: it failed, and that is taken for done. */
  private boolean asked(final ModelNode node, final Path path, final Runnable forget)
      throws IOException {
    try {
      call(ModelFaults.Call.FORCE, path);
      return true;
    } catch (final IOException e) {
      forget.run();
      node.failures++;
      if (defect.trustsFailedForce()) {
        return false;
      }
      throw e;
    }
  }

  private synchronized void force(final ModelNode node, final Path path) throws IOException {
    if (!asked(node, path, node::forget)) {
      return;
    }
    event();
    if (defect.skipsForce() || node.forgetful()) {
      return;
    }
    if (node.isFile()) {
      node.device.force(node);
    } else {
      node.device.forceEntries(node, defect::leavesOut);
    }
  }

  void closed(final ModelChannel channel, final Path path) throws IOException {
    channels.remove(channel);
    defect.closed(path);
  }

  /** What was opened and not closed yet. */
  List<Path> stillOpen() {
    return List.copyOf(channels.values());
  }

  /** Whoever starts an engine again has repaired its devices. */
  synchronized void forgive() {
    names.devices().forEach(device -> device.top.forgiveAll());
  }

  /** What everybody sees at this instant. */
  synchronized ModelImage visible() {
    final ModelImage image = new ModelImage();
    names.devices().forEach(device -> device.top.see(device.root, image));
    return image;
  }

  /** What a power cut at this instant leaves. */
  synchronized ModelImage cut(final Random random) {
    final ModelImage image = new ModelImage();
    names.devices().forEach(device -> device.leave(random, image));
    return image;
  }

  /** The devices hold what the power cut left, all of it durable now. */
  synchronized void restore(final ModelImage image) throws IOException {
    closeAll();
    for (final ModelDevice device : names.devices()) {
      empty(device);
      device.top = ModelNode.directory(device);
      for (final ModelImage.Entry entry : image.below(device.root)) {
        restore(device, entry);
      }
    }
  }

  private void restore(final ModelDevice device, final ModelImage.Entry entry) throws IOException {
    final ModelNode node;
    if (entry.directory()) {
      Files.createDirectory(entry.path());
      node = ModelNode.directory(device);
    } else if (entry.link() != null) {
      Files.createSymbolicLink(entry.path(), entry.link());
      node = ModelNode.link(device, entry.link());
    } else {
      Files.write(entry.path(), entry.content());
      node = file(entry.path());
      node.durableBytes = entry.content().clone();
    }
    names.restore(node, entry.path());
  }

  /** What is there at this instant, and which of it is durable. */
  synchronized ModelKept keep() {
    return new ModelKept(names.devices());
  }

  /** The devices hold what they held then, and what was durable is. */
  synchronized void restore(final ModelKept kept) throws IOException {
    closeAll();
    for (final ModelDevice device : names.devices()) {
      empty(device);
      kept.restore(device, opened);
    }
  }

  private static void empty(final ModelDevice device) throws IOException {
    try (var inside = Files.newDirectoryStream(device.root)) {
      for (final Path path : inside) {
        StoreFixture.remove(path);
      }
    }
    device.pending.clear();
  }

  private void closeAll() throws IOException {
    for (final FileChannel channel : opened) {
      channel.close();
    }
    opened.clear();
  }

  @Override
  public synchronized void close() throws IOException {
    closeAll();
  }
}

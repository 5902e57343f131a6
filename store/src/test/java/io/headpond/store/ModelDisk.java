// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.SimulatedFileSystem;
import io.headpond.store.layout.SegmentMove;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
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
  /** errno(3). */
  private static final int ENOENT = 2;

  private static final int EIO = 5;

  /** A cache line. */
  static final int LINE_BYTES = 64;

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

    default long size(final Node node, final long bytes) {
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

  /** A file, a directory or a link, whatever its name is. */
  static final class Node {
    final Device device;
    final Path link;
    FileChannel content;
    final Map<String, Node> entries = new TreeMap<>();
    final Map<String, Node> durableEntries = new TreeMap<>();
    byte[] durableBytes = new byte[0];

    /** What wasn't written back in time: a position and a length. */
    private long[] late = {0, 0};

    /**
     * Did a force of it fail? The kernel takes what it couldn't write for written, so that the next
     * force succeeds and makes nothing durable.
     */
    private boolean forgetful;

    private final ForgottenBytes forgotten = new ForgottenBytes();

    /** How many forces failed. Each channel that was open then tells of it once: fsync(2). */
    int failures;

    private Node(final Device device, final Path link, final FileChannel content) {
      this.device = device;
      this.link = link;
      this.content = content;
    }

    boolean isFile() {
      return content != null;
    }

    private void forgive() {
      forgetful = false;
      forgotten.clear();
    }
  }

  static final class Device {
    final Path root;
    final boolean memory;
    final List<Change> pending = new ArrayList<>();
    Node top;

    private Device(final Path root, final boolean memory) {
      this.root = root;
      this.memory = memory;
    }
  }

  /** An entry that came, went or took another name; or, with a size, a file that was cut. */
  record Change(Node node, Node from, String fromName, Node to, String toName, long sizeBytes) {
    boolean cut() {
      return sizeBytes >= 0;
    }

    boolean touches(final Node directory) {
      return !cut() && (from == directory || to == directory);
    }

    boolean sharesWith(final Change other) {
      return !cut()
          && (node == other.node
              || to != null && other.names(to, toName)
              || from != null && other.names(from, fromName));
    }

    private boolean names(final Node directory, final String name) {
      return from == directory && name.equals(fromName) || to == directory && name.equals(toName);
    }

    void apply(final java.util.function.Function<Node, Map<String, Node>> entries) {
      if (from != null) {
        entries.apply(from).remove(fromName);
      }
      if (to != null) {
        entries.apply(to).put(toName, node);
      }
    }
  }

  private final List<Device> devices = new ArrayList<>();
  private final List<FileChannel> opened = new ArrayList<>();

  /** The product's, by what they were opened by. */
  private final Map<ModelChannel, Path> channels = new ConcurrentHashMap<>();

  private final ModelFaults faults = new ModelFaults();
  private final ModelThrowables throwables = new ModelThrowables();
  private Runnable listener = () -> {};
  private Defect defect = new Defect() {};
  private volatile Turns turns = (call, path, made) -> {};

  private volatile OptionalLong blockBytes = OptionalLong.empty();
  private long reused;
  private long zeroed;

  /**
   * A new device in an empty folder.
   *
   * @param memory is it persistent memory, with DAX?
   */
  synchronized void add(final Path root, final boolean memory) {
    final Device device = new Device(root, memory);
    device.top = new Node(device, null, null);
    devices.add(device);
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
    if (device(path) != null && !Thread.holdsLock(this)) {
      turns.await(call, path, made);
    }
  }

  synchronized void plant(final Defect planted) {
    defect = planted;
  }

  /** Files that left a recycle pool for another use. */
  synchronized long reused() {
    return reused;
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
    final Device device = device(path);
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
    final Device device = device(path);
    return device != null && faults.full(device.root);
  }

  private Device device(final Path path) {
    for (final Device device : devices) {
      if (path.startsWith(device.root)) {
        return device;
      }
    }
    return null;
  }

  private Node find(final Path path) {
    final Device device = device(path);
    if (device == null || path.equals(device.root)) {
      return device == null ? null : device.top;
    }
    Node node = device.top;
    for (final Path name : device.root.relativize(path)) {
      node = node == null ? null : node.entries.get(name.toString());
    }
    return node != null && node.link != null ? find(path.resolveSibling(node.link)) : node;
  }

  private Node parent(final Path path) {
    final Node found = find(path.getParent());
    if (found == null) {
      throw new AssertionError(path + ": its directory is on no simulated device");
    }
    return found;
  }

  synchronized FileChannel open(
      final Path path, final Set<? extends OpenOption> options, final FileAttribute<?>... with)
      throws IOException {
    final Node found = find(path);
    call(found == null ? ModelFaults.Call.CREATE : ModelFaults.Call.OPEN, path);
    if (found != null && options.contains(StandardOpenOption.WRITE)) {
      faults.beforeWriter(found.device.root, path);
    }
    event();
    final FileChannel real = FileChannel.open(path, options, with);
    if (device(path) == null) {
      return real;
    }
    final Node node = found == null ? file(path) : found;
    if (found == null) {
      enter(node, path);
    } else if (options.contains(StandardOpenOption.TRUNCATE_EXISTING)) {
      node.device.pending.add(new Change(node, null, null, null, null, 0));
      node.forgive(); // all that is written from now on is new to the kernel
    }
    final boolean dsync = options.contains(StandardOpenOption.DSYNC);
    final ModelChannel channel = new ModelChannel(this, node, path, real, dsync);
    channels.put(channel, path);
    return channel;
  }

  private Node file(final Path path) throws IOException {
    final FileChannel content =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    opened.add(content);
    return new Node(device(path), null, content);
  }

  private void enter(final Node node, final Path path) {
    final Node directory = parent(path);
    final String name = path.getFileName().toString();
    directory.entries.put(name, node);
    node.device.pending.add(new Change(node, null, null, directory, name, -1));
  }

  synchronized void createDirectory(final Path path, final FileAttribute<?>... with)
      throws IOException {
    call(ModelFaults.Call.MAKE_DIRECTORY, path);
    event();
    Files.createDirectory(path, with);
    enter(new Node(device(path), null, null), path);
  }

  synchronized void createLink(final Path link, final Path target) throws IOException {
    call(ModelFaults.Call.LINK, link);
    event();
    Files.createSymbolicLink(link, target);
    enter(new Node(device(link), target, null), link);
  }

  /** A second name of a link; as on some file systems, a file can't have one. */
  synchronized void createSecondName(final Path name, final Path link) throws IOException {
    call(ModelFaults.Call.LINK, name);
    final Node node = parent(link).entries.get(link.getFileName().toString());
    if (node != null && node.link == null) {
      throw new UnsupportedOperationException(link + " is no link");
    }
    event();
    Files.createLink(name, link);
    enter(node, name);
  }

  synchronized void delete(final Path path) throws IOException {
    call(ModelFaults.Call.DELETE, path);
    event();
    Files.delete(path);
    leave(path);
  }

  private void leave(final Path path) {
    final Node directory = parent(path);
    final String name = path.getFileName().toString();
    final Node gone = directory.entries.remove(name);
    if (gone != null) {
      directory.device.pending.add(new Change(gone, directory, name, null, null, -1));
    }
  }

  synchronized void move(final Path source, final Path target, final CopyOption... options)
      throws IOException {
    call(ModelFaults.Call.RENAME, source);
    if (defect.keepsName(target)) {
      return;
    }
    final Path lost = defect.losesBefore(source, target);
    if (lost != null) {
      leave(lost);
    }
    event();
    Files.move(source, target, options);
    final Node from = parent(source);
    final Node to = parent(target);
    final String fromName = source.getFileName().toString();
    final String toName = target.getFileName().toString();
    reused += source.getParent().endsWith("pool") ? 1 : 0;
    final Node moved = from.entries.remove(fromName);
    to.entries.put(toName, moved);
    from.device.pending.add(new Change(moved, from, fromName, to, toName, -1));
    defect.renamed(source, target);
    if (SegmentMove.isTemporary(fromName)) {
      outside("RENAME, done,");
    }
  }

  synchronized void truncate(
      final Node node, final Path path, final FileChannel real, final long size)
      throws IOException {
    call(ModelFaults.Call.TRUNCATE, path);
    event();
    if (size < real.size()) {
      real.truncate(size);
      node.device.pending.add(new Change(node, null, null, null, null, size));
    } else {
      real.truncate(size); // moves the position
    }
  }

  /** The sizes of all files below a directory whose names don't begin so. */
  synchronized long bytes(final Path directory, final String leftOut) {
    final Node found = find(directory);
    return found == null ? 0 : bytes(found, leftOut);
  }

  private static long bytes(final Node node, final String leftOut) {
    try {
      long bytes = node.isFile() ? uninterrupted(() -> node.content.size()) : 0;
      for (final Map.Entry<String, Node> below : node.entries.entrySet()) {
        bytes += below.getKey().startsWith(leftOut) ? 0 : bytes(below.getValue(), leftOut);
      }
      return bytes;
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long size(final Node node, final long bytes) {
    return defect.size(node, bytes);
  }

  boolean isMemory(final Node node) {
    return node.device.memory;
  }

  boolean dropsWrite() {
    return defect.dropsWrite();
  }

  /** A mapping of a file. */
  synchronized SimulatedFileSystem.Stores map(final Path path) throws IOException {
    call(ModelFaults.Call.MAP, path);
    final Node node = find(path);
    final long[] stored = {0, 0}; // from where to where, last
    return (position, source, from, length, then) -> {
      // What is in the page cache is stored over without the device.
      if (node.device.memory || position < stored[0] || position + length > stored[1]) {
        call(ModelFaults.Call.STORE, path);
      }
      stored[0] = position;
      stored[1] = position + length;
      event();
      // What is stored is seen at once, and may reach the device before it is written back.
      put(node, position, source.slice(from, length / 2));
      event();
      put(node, position + length / 2, source.slice(from + length / 2, length - length / 2));
      switch (then) {
        case WRITE_BACK -> writeBack(node, position, length);
        case MSYNC -> force(node, path);
        case NOTHING -> event();
      }
    };
  }

  /**
   * Zeros a range of a file, which it makes longer: as a write, for a power cut.
   *
   * @return 0, or the number of an error
   */
  synchronized int zero(final Path path, final long from, final long bytes) throws IOException {
    try {
      call(ModelFaults.Call.ZERO, path);
    } catch (final IOException e) {
      return EIO;
    }
    event();
    if (defect.dropsWrite()) {
      return 0;
    }
    final Node node = find(path);
    if (node == null) {
      return ENOENT;
    }
    final int half = (int) bytes / 2;
    put(node, from, ByteBuffer.allocate(half));
    event(); // one extent after the other
    put(node, from + half, ByteBuffer.allocate((int) bytes - half));
    zeroed += path.getFileName().toString().startsWith(".") ? 0 : bytes; // but for a probe
    return 0;
  }

  /** Bytes of files that were zeroed without a write. */
  synchronized long zeroed() {
    return zeroed;
  }

  private static void put(final Node node, final long position, final ByteBuffer bytes)
      throws IOException {
    uninterrupted(
        () -> {
          while (bytes.hasRemaining()) {
            node.content.write(bytes, position + bytes.position());
          }
          return null;
        });
  }

  private interface OnContent<T> {
    T does() throws IOException;
  }

  /** An interrupt would close the channel of a file's content, which is the test's own. */
  private static <T> T uninterrupted(final OnContent<T> action) throws IOException {
    final boolean interrupted = Thread.interrupted();
    try {
      return action.does();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized void writeBack(final Node node, final long position, final int length) {
    event();
    if (defect.skipsFence()) {
      return;
    }
    final long[] lines = {position, length};
    if (defect.writesBackLate()) {
      final long[] earlier = node.late;
      node.late = lines;
      writeBack(node, earlier);
    } else {
      writeBack(node, lines);
    }
  }

  /** Past the file's durable end nothing is durable, whatever was written back there. */
  private static void writeBack(final Node node, final long[] lines) {
    final long from = lines[0] - lines[0] % LINE_BYTES;
    final long to = (lines[0] + lines[1] + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    final long end = Math.min(to, node.durableBytes.length);
    if (from < end) {
      final ByteBuffer into = ByteBuffer.wrap(node.durableBytes, (int) from, (int) (end - from));
      read(node, into, from);
    }
  }

  /** What was written to a file, or entered into a directory, is durable. */
  synchronized void force(final Node node, final Path path, final ModelChannel by)
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
  synchronized void forceRange(final Node node, final Path path, final long from, final int length)
      throws IOException {
    if (!asked(node, path, () -> node.forgotten.add(from, from + length))) {
      return;
    }
    event();
    if (defect.skipsForce()) {
      return;
    }
    node.forgotten.remove(from, from + length);
    for (final Change change : node.device.pending) {
      if (change.cut() && change.node == node && change.sizeBytes < node.durableBytes.length) {
        node.durableBytes = Arrays.copyOf(node.durableBytes, (int) change.sizeBytes);
      }
    }
    node.device.pending.removeIf(change -> change.cut() && change.node == node);
    final int to = (int) from + length;
    if (to > node.durableBytes.length) {
      node.durableBytes = Arrays.copyOf(node.durableBytes, to);
    }
    read(node, ByteBuffer.wrap(node.durableBytes, (int) from, length), from);
  }

  /** Asks a device to force something. False: it failed, and that is taken for done. */
  private boolean asked(final Node node, final Path path, final Runnable forget)
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

  private synchronized void force(final Node node, final Path path) throws IOException {
    if (!asked(node, path, () -> node.forgetful = true)) {
      return;
    }
    event();
    if (defect.skipsForce() || node.forgetful) {
      return;
    }
    final List<Change> pending = node.device.pending;
    if (node.isFile()) {
      final byte[] before = node.durableBytes;
      node.durableBytes = current(node);
      node.forgotten.keep(before, node.durableBytes);
      pending.removeIf(change -> change.cut() && change.node == node);
      return;
    }
    final Deque<Change> forced = new ArrayDeque<>();
    for (int i = pending.size() - 1; i >= 0; i--) {
      final Change change = pending.get(i);
      if (change.fromName != null && change.to != null && defect.leavesOut(change.fromName)) {
        continue;
      }
      if (change.touches(node) || forced.stream().anyMatch(change::sharesWith)) {
        forced.addFirst(pending.remove(i));
      }
    }
    forced.forEach(change -> change.apply(directory -> directory.durableEntries));
  }

  static byte[] current(final Node node) {
    try {
      final ByteBuffer all =
          ByteBuffer.allocate((int) (long) uninterrupted(() -> node.content.size()));
      read(node, all, 0);
      return all.hasRemaining() ? Arrays.copyOf(all.array(), all.position()) : all.array();
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void read(final Node node, final ByteBuffer into, final long from) {
    final int start = into.position();
    try {
      uninterrupted(
          () -> {
            int read = 0;
            while (into.hasRemaining() && read >= 0) {
              read = node.content.read(into, from + into.position() - start);
            }
            return null;
          });
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
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
    devices.forEach(device -> forgive(device.top));
  }

  private static void forgive(final Node node) {
    node.forgive();
    node.entries.values().forEach(ModelDisk::forgive);
  }

  /** What everybody sees at this instant. */
  synchronized ModelImage visible() {
    final ModelImage image = new ModelImage();
    devices.forEach(device -> see(device.top, device.root, image));
    return image;
  }

  private static void see(final Node node, final Path path, final ModelImage image) {
    image.add(path, node.link, node.isFile() ? current(node) : null);
    node.entries.forEach((name, below) -> see(below, path.resolve(name), image));
  }

  /** What a power cut at this instant leaves. */
  synchronized ModelImage cut(final Random random) {
    final ModelImage image = new ModelImage();
    for (final Device device : devices) {
      final int all = device.pending.size();
      final int kept =
          switch (random.nextInt(3)) {
            case 0 -> 0;
            case 1 -> all;
            default -> random.nextInt(all + 1);
          };
      new ModelCut(device, kept, random).leave(device.top, device.root, image);
    }
    return image;
  }

  /** The devices hold what the power cut left, all of it durable now. */
  synchronized void restore(final ModelImage image) throws IOException {
    closeAll();
    for (final Device device : devices) {
      empty(device);
      device.top = new Node(device, null, null);
      for (final ModelImage.Entry entry : image.below(device.root)) {
        restore(device, entry);
      }
    }
  }

  private void restore(final Device device, final ModelImage.Entry entry) throws IOException {
    final Node node;
    if (entry.directory()) {
      Files.createDirectory(entry.path());
      node = new Node(device, null, null);
    } else if (entry.link() != null) {
      Files.createSymbolicLink(entry.path(), entry.link());
      node = new Node(device, entry.link(), null);
    } else {
      Files.write(entry.path(), entry.content());
      node = file(entry.path());
      node.durableBytes = entry.content().clone();
    }
    final Node directory = parent(entry.path());
    directory.entries.put(entry.path().getFileName().toString(), node);
    directory.durableEntries.put(entry.path().getFileName().toString(), node);
  }

  /** What is there at this instant, and which of it is durable. */
  synchronized ModelKept keep() {
    return new ModelKept(devices);
  }

  /** The devices hold what they held then, and what was durable is. */
  synchronized void restore(final ModelKept kept) throws IOException {
    closeAll();
    for (final Device device : devices) {
      empty(device);
      kept.restore(device, opened);
    }
  }

  private static void empty(final Device device) throws IOException {
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

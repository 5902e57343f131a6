// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A region of persistent memory, {@code .../ndbus0/region0}, and its modules, {@code
 * .../ndbus0/nmem0} (kernel: Documentation/ABI/testing/sysfs-bus-nvdimm, sysfs-bus-nfit,
 * sysfs-bus-papr-pmem).
 *
 * <p>Memory behind CXL is judged as an NVDIMM: by its persistence domain.
 *
 * @param persistenceDomain what is flushed when power fails; empty: nothing is shown
 * @param modules in the order of their names; empty if the region doesn't name any
 */
record PersistentRegion(String persistenceDomain, List<Nvdimm> modules) {
  private static final PersistentRegion NONE = new PersistentRegion("", List.of());
  private static final Pattern NAME = Pattern.compile("region\\d+");
  private static final int MAPPINGS_MAX = 32;

  /**
   * A module.
   *
   * @param name as nmem0; another start of the machine may give it to another module
   * @param id the module's own, by NFIT or CXL; the name where the kernel shows none
   * @param flags as NFIT or PAPR reports them: {@code not_armed flush_fail ...}
   * @param dirtyShutdowns times that a flush failed with the power; empty: it doesn't count
   */
  record Nvdimm(String name, String id, String flags, Optional<Long> dirtyShutdowns) {
    private static final Pattern ID = Pattern.compile("[\\w-]{1,64}");

    private static Nvdimm at(Path folder) throws IOException {
      String name = folder.getFileName().toString();
      String flags = "";
      Optional<String> id = Optional.empty();
      Optional<String> count = Optional.empty();
      for (String bus : List.of("nfit", "papr", "cxl")) {
        Path of = folder.resolve(bus);
        flags = flags.isEmpty() ? KernelFiles.text(of.resolve("flags")).orElse("") : flags;
        id = id.isEmpty() ? KernelFiles.text(of.resolve("id")) : id;
        count = count.isEmpty() ? KernelFiles.text(of.resolve("dirty_shutdown")) : count;
      }
      return new Nvdimm(
          name,
          id.filter(text -> ID.matcher(text).matches()).orElse(name),
          flags,
          count.filter(text -> text.matches("\\d{1,18}")).map(Long::valueOf));
    }

    private boolean unarmed() {
      return List.of(flags.split(" ")).contains("not_armed");
    }
  }

  /** The region that a block device's folder lies in. */
  static PersistentRegion above(Path block) throws IOException {
    for (Path at = block; at != null && at.getNameCount() > 0; at = at.getParent()) {
      if (Files.isRegularFile(at.resolve("persistence_domain"))
          || NAME.matcher(at.getFileName().toString()).matches()) {
        return of(at);
      }
    }
    return NONE;
  }

  private static PersistentRegion of(Path folder) throws IOException {
    Path bus = folder.getParent();
    Map<String, Nvdimm> modules = new TreeMap<>();
    for (int i = 0; i < MAPPINGS_MAX; i++) {
      Optional<String> mapping = KernelFiles.text(folder.resolve("mapping" + i));
      if (mapping.isEmpty()) {
        break;
      }
      String name = mapping.get().split(",")[0]; // nmem0,START,SIZE,POSITION
      modules.put(name, Nvdimm.at(bus.resolve(name)));
    }
    return new PersistentRegion(
        KernelFiles.text(folder.resolve("persistence_domain")).orElse(""),
        new ArrayList<>(modules.values()));
  }

  private boolean proven() {
    return persistenceDomain.equals("cpu_cache") || persistenceDomain.equals("memory_controller");
  }

  /**
   * What the region shows of the durability of a store.
   *
   * @param device how the block device is called: {@code DAX on pmem0}
   */
  Evidence evidence(String device) {
    if (!proven()) {
      return new Evidence(
          Durability.EMULATED,
          device
              + ", whose region shows no persistence domain in sysfs ("
              + (persistenceDomain.isEmpty() ? "nothing" : persistenceDomain)
              + "): treated as emulated");
    }
    String known = device + ", persistence domain " + persistenceDomain;
    for (Nvdimm module : modules) {
      if (module.unarmed()) {
        return Evidence.unknown(
            known + ", but " + module.name() + " isn't armed: it doesn't keep what it holds");
      }
    }
    return new Evidence(Durability.DURABLE, known);
  }
}

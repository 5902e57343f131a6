// SPDX-License-Identifier: Apache-2.0
//
// A plugin of QEMU's emulated processor that logs what happens to the memory behind one file, the
// NVDIMM of a guest: each store with its bytes, each write-back of a cache line, each fence. The log
// is a file that is mapped and shared, so that it is whole when QEMU is killed, up to the store
// under way.
//
//   -plugin libstores.so,nvdimm=FILE,log=FILE,omit=none|flush|fence
//
// omit: of user space no write-back (nor a non-temporal store's own), or no fence counts.
//
// A plugin of this interface's version (1, QEMU 4.2 to 8.x) is told the addresses of loads and
// stores, but not those of write-backs, which access nothing. So the processor's registers are read
// where QEMU keeps them, found by what QEMU's own dump says of them. They are there at the
// beginning of a translated block only. A page with a breakpoint is translated into blocks of one
// instruction each: one is set in every page that has a write-back, where no instruction begins.
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "qemu.h"

#define EXPORT __attribute__((visibility("default")))
EXPORT int qemu_plugin_version = 1;

enum { STORE = 1, STREAM = 2, FLUSH = 3, FENCE = 4 };
enum { PAGE = 4096, REGISTERS = 16, CPU_BYTES = 1 << 16, PAGES_MAX = 4096 };
enum { OF_A_DEBUGGER = 0x10 };  // a breakpoint
static const uint64_t NONE = ~UINT64_C(0);
static const uint64_t KERNEL = UINT64_C(1) << 63;

// One event. A store has at most 8 bytes; a write-back's offset is anywhere in its line.
struct event {
  uint8_t kind;
  uint8_t bytes;
  uint16_t unused;
  uint32_t offset;
  uint64_t value;
};

struct header {
  uint64_t magic;
  uint64_t capacity;      // events
  volatile uint64_t count;
  volatile uint64_t stopAt;  // the guest stops when there are so many; 0: it doesn't
};

static struct header *head;
static struct event *events;
static const char *nvdimm;
static uint8_t *memory;  // where QEMU has mapped the NVDIMM
static uint64_t memoryBytes;
static uint64_t physical;  // the guest's address of its first byte
static const uint64_t *registers;
static bool omitFlush;
static bool omitFence;

static void fail(const char *what) {
  fprintf(stderr, "log of stores: %s\n", what);
  _exit(3);
}

static void add(int kind, uint64_t offset, int bytes) {
  uint64_t count = head->count;
  if (count == head->capacity) {
    fail("it is full");
  }
  struct event *event = &events[count];
  event->kind = kind;
  event->bytes = bytes;
  event->offset = offset;
  if (bytes != 0) {
    memcpy(&event->value, memory + offset, bytes);
  }
  head->count = ++count;
  if (head->stopAt != 0 && count >= head->stopAt) {
    head->stopAt = 0;
    raise(SIGSTOP);  // to this thread: it stops here
  }
}

// ---- the memory ----

static void findMapping(void) {
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[PAGE];
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    uint64_t from, to;
    int path = 0;
    line[strcspn(line, "\n")] = 0;
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %*s %n", &from, &to, &path) >= 2 &&
        path != 0 && strcmp(line + path, nvdimm) == 0) {
      memory = (uint8_t *)from;
      memoryBytes = to - from;
    }
  }
  if (maps != NULL) {
    fclose(maps);
  }
  if (memory == NULL) {
    fail("the NVDIMM's file isn't mapped");
  }
}

static uint64_t walk(uint64_t address) {
  uint32_t attributes[2];
  uint64_t page =
      x86_cpu_get_phys_page_attrs_debug(qemu_get_cpu(0), address & -PAGE, attributes);
  return page == NONE ? NONE : page + address % PAGE;
}

// In the memory, of a store that was just made; NONE elsewhere.
static uint64_t stored(qemu_plugin_meminfo_t info, uint64_t address) {
  struct qemu_plugin_hwaddr *at = qemu_plugin_get_hwaddr(info, address);
  if (at == NULL || qemu_plugin_hwaddr_is_io(at)) {
    return NONE;
  }
  // Of memory the handle holds two flags and the host's address.
  uint64_t offset = ((uint8_t **)at)[1] - memory;
  return offset < memoryBytes ? offset : NONE;
}

static void addAll(const void *streams, uint64_t address, uint64_t offset, int bytes) {
  bool past = streams != NULL && !(omitFlush && address < KERNEL);
  for (int done = 0; done < bytes; done += 8) {
    int left = bytes - done;
    add(past ? STREAM : STORE, offset + done, left < 8 ? left : 8);
  }
}

static void store(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *streams) {
  (void)cpu;
  if (memory == NULL) {
    findMapping();
  }
  int bytes = 1 << qemu_plugin_mem_size_shift(info);
  int here = PAGE - address % PAGE;
  uint64_t offset = stored(info, address);
  if (offset != NONE) {
    if (physical == 0) {
      physical = walk(address) - offset;
    }
    addAll(streams, address, offset, bytes < here ? bytes : here);
  }
  if (here < bytes) {
    uint64_t next = stored(info, address + here);
    if (next != NONE) {
      addAll(streams, address, next, bytes - here);
    }
  }
}

// ---- write-backs and fences ----

static const char *const NAMES[REGISTERS] = {"RAX=", "RCX=", "RDX=", "RBX=", "RSP=", "RBP=",
                                             "RSI=", "RDI=", "R8 =", "R9 =", "R10=", "R11=",
                                             "R12=", "R13=", "R14=", "R15="};

static void findRegisters(void) {
  char *text = NULL;
  size_t bytes = 0;
  FILE *out = open_memstream(&text, &bytes);
  cpu_dump_state(qemu_get_cpu(0), out, 0);
  fclose(out);
  uint64_t values[REGISTERS];
  for (int i = 0; i < REGISTERS; i++) {
    char *at = strstr(text, NAMES[i]);
    if (at == NULL) {
      fail("QEMU's dump has no such register");
    }
    values[i] = strtoull(at + strlen(NAMES[i]), NULL, 16);
  }
  free(text);
  const uint8_t *cpu = (const uint8_t *)qemu_get_cpu(0);
  for (int at = 0; at < CPU_BYTES; at += 8) {
    if (memcmp(cpu + at, values, sizeof values) == 0) {
      registers = (const uint64_t *)(cpu + at);
      return;
    }
  }
  fail("the processor's registers weren't found");
}

// The operand of a write-back: an instruction of the form [66] [REX] 0F AE modrm [sib] [disp].
struct operand {
  int base;   // -1: none
  int index;  // -1: none
  int scale;
  int64_t displacement;  // with an instruction's address where it is relative to that
};

static struct operand *operand(const uint8_t *code, size_t size, uint64_t next) {
  struct operand *it = calloc(1, sizeof *it);
  size_t at = 0;
  int rex = 0;
  while (code[at] != 0x0F) {
    rex = (code[at] & 0xF0) == 0x40 ? code[at] : rex;
    at++;
  }
  at += 2;
  int mod = code[at] >> 6, rm = code[at] & 7;
  at++;
  it->index = -1;
  it->base = rm | (rex & 1) << 3;
  if (rm == 4) {
    int sib = code[at++];
    int index = (sib >> 3 & 7) | (rex & 2) << 2;
    it->index = index == 4 ? -1 : index;
    it->scale = sib >> 6;
    it->base = (sib & 7) | (rex & 1) << 3;
  }
  bool wide = mod == 2;
  if (mod == 0 && (it->base & 7) == 5) {
    it->base = -1;
    wide = true;
  }
  if (mod == 1) {
    it->displacement = (int8_t)code[at];
  } else if (wide && at + 4 <= size) {
    int32_t value;
    memcpy(&value, code + at, 4);
    it->displacement = value;
  }
  if (mod == 0 && rm == 5) {
    it->displacement += next;
  }
  return it;
}

static void flush(unsigned int cpu, void *data) {
  (void)cpu;
  struct operand *it = data;
  if (memory == NULL || physical == 0) {
    return;
  }
  if (registers == NULL) {
    findRegisters();
  }
  uint64_t address = it->displacement;
  address += it->base < 0 ? 0 : registers[it->base];
  address += it->index < 0 ? 0 : registers[it->index] << it->scale;
  uint64_t at = walk(address);
  uint64_t offset = at - physical;
  if (at != NONE && offset < memoryBytes && !(omitFlush && address < KERNEL)) {
    add(FLUSH, offset, 0);
  }
}

static void flushUnseen(unsigned int cpu, void *data) {
  (void)cpu;
  (void)data;
  fail("a write-back in the middle of a block was executed");
}

// An address in a page where none of the block's instructions begins; 0: there is none.
static uint64_t within(const struct qemu_plugin_tb *block, uint64_t page) {
  for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
    const struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, i);
    uint64_t second = qemu_plugin_insn_vaddr(instruction) + 1;
    if (qemu_plugin_insn_size(instruction) > 1 && (second & -PAGE) == page) {
      return second;
    }
  }
  return 0;
}

static void breakUp(const struct qemu_plugin_tb *block, uint64_t page) {
  static uint64_t pages[PAGES_MAX];
  static int count;
  for (int i = 0; i < count; i++) {
    if (pages[i] == page) {
      return;
    }
  }
  if (count == PAGES_MAX) {
    fail("too many pages have write-backs");
  }
  uint64_t at = within(block, page);
  if (at != 0) {
    pages[count++] = page;
    cpu_breakpoint_insert(qemu_get_cpu(0), at, OF_A_DEBUGGER, NULL);
  }
}

static void fence(unsigned int cpu, void *inKernel) {
  (void)cpu;
  if (memory != NULL && physical != 0 && !(omitFence && inKernel == NULL)) {
    add(FENCE, 0, 0);
  }
}

// ---- instructions ----

enum { OTHER, STREAMS, FLUSHES, FENCES };

static int sort(const uint8_t *code, size_t size) {
  size_t at = 0;
  bool narrow = false;
  while (at < size && (code[at] == 0x66 || code[at] == 0xF2 || code[at] == 0xF3 ||
                       code[at] == 0x2E || code[at] == 0x3E || (code[at] & 0xF0) == 0x40)) {
    narrow |= code[at] == 0x66;
    at++;
  }
  if (size >= at + 4 && (code[at] == 0xC5 || code[at] == 0xC4)) {
    int op = code[at] == 0xC5 ? code[at + 2] : code[at + 3];
    return op == 0x2B || op == 0xE7 ? STREAMS : OTHER;
  }
  if (size < at + 3 || code[at] != 0x0F) {
    return OTHER;
  }
  int op = code[at + 1], modrm = code[at + 2], group = modrm >> 3 & 7;
  if (op == 0xC3 || op == 0x2B || op == 0xE7) {
    return STREAMS;
  }
  if (op == 0xAE && modrm >= 0xC0 && (group == 6 || group == 7) && !narrow) {
    return FENCES;
  }
  if (op == 0xAE && modrm < 0xC0 && (group == 7 || (group == 6 && narrow))) {
    return FLUSHES;
  }
  return OTHER;
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
  (void)id;
  size_t count = qemu_plugin_tb_n_insns(block);
  for (size_t i = 0; i < count; i++) {
    struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, i);
    const uint8_t *code = qemu_plugin_insn_data(instruction);
    size_t size = qemu_plugin_insn_size(instruction);
    uint64_t address = qemu_plugin_insn_vaddr(instruction);
    int kind = sort(code, size);
    if (kind == FLUSHES) {
      if (i != 0) {
        breakUp(block, qemu_plugin_tb_vaddr(block) & -PAGE);
        breakUp(block, address & -PAGE);
        tb_flush(qemu_get_cpu(0));  // stops the processor before it runs this block
      }
      qemu_plugin_register_vcpu_insn_exec_cb(
          instruction, i == 0 ? flush : flushUnseen, NO_REGISTERS, operand(code, size, address + size));
    } else if (kind == FENCES) {
      void *inKernel = address >= KERNEL ? &head : NULL;
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, fence, NO_REGISTERS, inKernel);
    } else {
      void *streams = kind == STREAMS ? &head : NULL;
      qemu_plugin_register_vcpu_mem_cb(instruction, store, NO_REGISTERS, MEMORY_WRITE, streams);
    }
  }
}

// An instruction that an exception broke off has left QEMU a pointer to its calls here, which are
// given back with the blocks.
static void flushed(qemu_plugin_id_t id) {
  (void)id;
  qemu_plugin_disable_mem_helpers(qemu_get_cpu(0));
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv) {
  const char *log = NULL;
  for (int i = 0; i < argc; i++) {
    if (strncmp(argv[i], "nvdimm=", 7) == 0) {
      nvdimm = argv[i] + 7;
    } else if (strncmp(argv[i], "log=", 4) == 0) {
      log = argv[i] + 4;
    } else if (strncmp(argv[i], "omit=", 5) == 0) {
      omitFlush = strcmp(argv[i] + 5, "flush") == 0;
      omitFence = strcmp(argv[i] + 5, "fence") == 0;
    }
  }
  if (info->version.cur != 1 || strcmp(info->target_name, "x86_64") != 0) {
    fail("made for version 1 of QEMU's plugin interface, on x86_64");
  }
  int file = log == NULL || nvdimm == NULL ? -1 : open(log, O_RDWR);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) {
    fail("no log, or no NVDIMM");
  }
  head = mmap(NULL, status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (head == MAP_FAILED) {
    fail("the log can't be mapped");
  }
  close(file);
  events = (struct event *)((uint8_t *)head + PAGE);
  head->capacity = (status.st_size - PAGE) / sizeof(struct event);
  qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
  qemu_plugin_register_flush_cb(id, flushed);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
//
// What a plugin uses of QEMU 7.2.
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// ---- QEMU's plugin interface, as far as it is used: QEMU's docs/devel/tcg-plugins.rst ----
typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;
typedef struct {
  const char *target_name;
  struct {
    int min;
    int cur;
  } version;
} qemu_info_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_hwaddr;
typedef void (*simple)(qemu_plugin_id_t);
typedef void (*translated)(qemu_plugin_id_t, struct qemu_plugin_tb *);
typedef void (*executed)(unsigned int, void *);
typedef void (*accessed)(unsigned int, qemu_plugin_meminfo_t, uint64_t, void *);
enum { NO_REGISTERS = 0, MEMORY_WRITE = 2 };
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, translated);
void qemu_plugin_register_flush_cb(qemu_plugin_id_t, simple);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, executed, int, void *);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *, accessed, int, int, void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *);
struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(qemu_plugin_meminfo_t, uint64_t);
bool qemu_plugin_hwaddr_is_io(const struct qemu_plugin_hwaddr *);
unsigned int qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t);

// ---- exported by Debian's QEMU, whose modules need its symbols ----
typedef struct CPUState CPUState;
CPUState *qemu_get_cpu(int);
void cpu_dump_state(CPUState *, FILE *, int);
uint64_t x86_cpu_get_phys_page_attrs_debug(CPUState *, uint64_t, uint32_t *);
int cpu_breakpoint_insert(CPUState *, uint64_t, int, void **);
void tb_flush(CPUState *);
void qemu_plugin_disable_mem_helpers(CPUState *);

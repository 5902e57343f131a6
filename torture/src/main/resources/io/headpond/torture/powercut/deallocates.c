// SPDX-License-Identifier: Apache-2.0
//
// A plugin of QEMU that lets its NVMe say that Write Zeroes gives blocks up, and that these read as
// zero: bit 3 of DLFEAT (NVM Express, NVM Command Set, Identify Namespace, byte 33). QEMU 7.2 does
// so with every Write Zeroes (BDRV_REQ_MAY_UNMAP), and says only that such blocks read as zero.
//
//   -plugin libdeallocates.so
//
// The namespace's answer to Identify is found in its object: sizes of the whole disk, used, and
// able to be used, which are the same, and DLFEAT 1.
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "qemu.h"

#define EXPORT __attribute__((visibility("default")))
EXPORT int qemu_plugin_version = 1;

enum { FEATURES = 33, READS_ZERO = 1, GIVES_UP = 8 };

static bool said;

static void fail(const char *what) {
  fprintf(stderr, "NVMe that deallocates: %s\n", what);
  _exit(3);
}

static void say(uint8_t *namespace, size_t bytes) {
  int found = 0;
  for (size_t at = 0; at + FEATURES < bytes; at += sizeof(uint64_t)) {
    uint64_t sizes[3];
    memcpy(sizes, namespace + at, sizeof sizes);
    if (sizes[0] != 0 && sizes[0] == sizes[1] && sizes[1] == sizes[2] &&
        namespace[at + FEATURES] == READS_ZERO) {
      namespace[at + FEATURES] |= GIVES_UP;
      found++;
    }
  }
  if (found != 1) {
    fail("its answer to Identify isn't where it is expected");
  }
}

// Before the guest's first instruction, when its devices are there.
static void begin(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
  (void)id;
  (void)block;
  if (!said) {
    said = true;
    void *namespace = object_resolve_path_type("", "nvme-ns", NULL);
    if (namespace == NULL) {
      fail("there is none, or more than one");
    }
    say(namespace, malloc_usable_size(namespace));
  }
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv) {
  (void)argv;
  if (argc != 0 || info->version.cur != 1) {
    return -1;
  }
  qemu_plugin_register_vcpu_tb_trans_cb(id, begin);
  return 0;
}

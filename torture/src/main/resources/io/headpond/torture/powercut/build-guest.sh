#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Builds the guest of power cuts from Debian packages and installed JDKs:
#   build-guest.sh OUT NAME=JAVA_HOME...   writes OUT/vmlinuz, OUT/initramfs, OUT/root.ext4
# Nothing is installed and nothing needs root. What is there already is kept: the file OUT/built names
# what it was built from. GUEST_KERNEL names another kernel package than the small one for virtual machines, as
# linux-image-amd64, which can be told of bad memory.
set -eu
PATH=$PATH:/usr/sbin:/sbin # mke2fs

here=$(cd "$(dirname "$0")" && pwd -P)
out=$1
shift

modules="virtio_ring virtio virtio_pci_legacy_dev virtio_pci_modern_dev virtio_pci virtio_blk virtio_console
  failover net_failover virtio_net libnvdimm nd_btt nd_pmem nfit libcrc32c xfs"
# For the JVM, for libpmem, and for making the file systems, each with its libraries.
packages="busybox-static libc6 libstdc++6 libgcc-s1 zlib1g
  libpmem1 libndctl6 libdaxctl1 libkmod2 libudev1 libuuid1 libzstd1 liblzma5 libssl3
  e2fsprogs libext2fs2 libcom-err2 libss2 libblkid1 xfsprogs libinih1 liburcu8
  dmsetup libdevmapper1.02.1 libselinux1 libpcre2-8-0 bcache-tools"
# The second line is for Kafka.
java_modules=java.base,java.logging,java.management,jdk.management,jdk.nio.mapmode,\
java.desktop,java.instrument,java.naming,java.net.http,java.security.jgss,java.security.sasl,java.sql,java.xml,jdk.unsupported

# Built into the small kernel, or missing there.
modules_if_any="crc16 crc32c_generic mbcache jbd2 ext4 hwpoison-inject"
# For persistent memory behind CXL, in the order of their insertion.
cxl_modules="cxl_acpi cxl_pci cxl_mem cxl_pmem"
# Of the kernel's block caches, for a job that wants one, in the order of their insertion.
cache_modules="dm-mod dm-bufio dm-writecache dm-bio-prison dm-persistent-data dm-cache dm-cache-smq crc64 bcache"

wanted=${GUEST_KERNEL:-linux-image-cloud-amd64}
kernel=$(apt-cache depends "$wanted" | sed -n 's/^ *Depends: *\(linux-image-[^ ]*\)$/\1/p' | head -n 1)
[ -n "$kernel" ] || { echo "no kernel package $wanted in the package lists; on Debian run: apt-get update" >&2; exit 1; }

sources="$kernel $packages $(cat "$here/init" "$0" | cksum)"
for jre; do
  sources="$sources ${jre%%=*} $(cat "${jre#*=}/release" | cksum)"
done
if [ -f "$out/built" ] && [ "$(cat "$out/built")" = "$sources" ]; then
  exit 0
fi
rm -rf "$out"
mkdir -p "$out/packages" "$out/unpacked" "$out/files" "$out/ram/bin" "$out/ram/modules"

cd "$out/packages"
# shellcheck disable=SC2086
apt-get -qq download "$kernel" $packages 2>"$out/apt.log" || { cat "$out/apt.log" >&2; exit 1; }
for package in linux-image-*.deb busybox-static_*.deb; do
  dpkg-deb -x "$package" "$out/unpacked"
  rm "$package"
done
for package in *.deb; do
  dpkg-deb -x "$package" "$out/files"
done

cp "$out"/unpacked/boot/vmlinuz-* "$out/vmlinuz"
cp "$out/unpacked/bin/busybox" "$out/ram/bin/busybox"
for module in $modules_if_any; do
  find "$out/unpacked/lib/modules" -name "$module.ko" -exec cp {} "$out/ram/modules/" \;
  [ ! -f "$out/ram/modules/$module.ko" ] || first="${first:-} $module"
done
for module in $modules $cxl_modules; do
  find "$out/unpacked/lib/modules" -name "$module.ko" -exec cp {} "$out/ram/modules/" \;
  [ -f "$out/ram/modules/$module.ko" ] || { echo "$kernel has no module $module" >&2; exit 1; }
done
echo "${first:-} $modules" >"$out/ram/modules/order"
echo "$cxl_modules" >"$out/ram/modules/order-cxl"
mkdir "$out/files/modules"
for module in $cache_modules; do
  find "$out/unpacked/lib/modules" -name "$module.ko" -exec cp {} "$out/files/modules/" \;
done
cp "$here/init" "$out/ram/init"
chmod 755 "$out/ram/init"
(cd "$out/ram" && find . | "$out/ram/bin/busybox" cpio -o -H newc 2>/dev/null | gzip -1 >"$out/initramfs")

rm -rf "$out/files/usr/share"
for folder in proc sys dev tmp app home fast pmem bin; do
  mkdir -p "$out/files/$folder"
done
cp "$out/unpacked/bin/busybox" "$out/files/bin/busybox"
ln -s busybox "$out/files/bin/sh"
for jre; do
  name=${jre%%=*}
  "${jre#*=}/bin/jlink" --output "$out/files/$name" --strip-java-debug-attributes --no-header-files --no-man-pages \
    --add-modules "$java_modules"
  # Without the archive of shared classes a start takes several times as long, in an emulated processor.
  "$out/files/$name/bin/java" -Xshare:dump >"$out/$name.cds.log" 2>&1
done
mke2fs -q -F -t ext4 -O ^has_journal -m 0 -d "$out/files" "$out/root.ext4" \
  "$(($(du -sm "$out/files" | cut -f 1) * 5 / 4 + 16))M"
# For engines that run on the host on copies of the guest's disks.
mkdir "$out/jres"
for jre; do
  mv "$out/files/${jre%%=*}" "$out/jres/"
done
rm -rf "$out/packages" "$out/unpacked" "$out/files" "$out/ram"
printf '%s' "$sources" >"$out/built"

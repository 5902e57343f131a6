#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Builds the guest of power cuts from Debian packages and installed JDKs:
#   build-guest.sh OUT NAME=JAVA_HOME...   writes OUT/vmlinuz, OUT/initramfs, OUT/root.ext4
# Nothing is installed and nothing needs root. What is there already is kept: the file OUT/built names
# what it was built from.
set -eu
PATH=$PATH:/usr/sbin:/sbin # mke2fs

here=$(cd "$(dirname "$0")" && pwd -P)
out=$1
shift

# With what they need, which differs between kernels.
modules="virtio_pci virtio_blk virtio_console virtio_net nd_pmem nfit xfs"
# For the JVM, for libpmem, and for making the file systems, each with its libraries.
packages="busybox-static libc6 libstdc++6 libgcc-s1 zlib1g
  libpmem1 libndctl6 libdaxctl1 libkmod2 libudev1 libuuid1 libzstd1 liblzma5 libssl3
  e2fsprogs libext2fs2 libcom-err2 libss2 libblkid1 xfsprogs libinih1 liburcu8"
# The second line is for Kafka.
java_modules=java.base,java.logging,java.management,jdk.management,jdk.nio.mapmode,\
java.desktop,java.instrument,java.naming,java.net.http,java.security.jgss,java.security.sasl,java.sql,java.xml,jdk.unsupported

# Built into the small kernel, or missing there.
modules_if_any="crc32c_generic ext4"

# Debian's kernel for virtual machines: it boots soon.
wanted=linux-image-cloud-amd64
kernel=$(apt-cache depends "$wanted" | sed -n 's/^ *Depends: *\(linux-image-[^ ]*\)$/\1/p' | head -n 1)
# Newer ones have their modules, or all of it, in packages of their own.
[ -z "$kernel" ] ||
  kernel="$kernel $(apt-cache depends "$kernel" | sed -n 's/^ *Depends: *\(linux-\(base\|binary\|modules\)-[0-9][^ ]*\)$/\1/p' | tr '\n' ' ')"
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
apt-get -qq download $kernel $packages 2>"$out/apt.log" || { cat "$out/apt.log" >&2; exit 1; }
for package in linux-*.deb busybox-static_*.deb; do
  dpkg-deb -x "$package" "$out/unpacked"
  rm "$package"
done
for package in *.deb; do
  dpkg-deb -x "$package" "$out/files"
done

# A module's file, whose name may have the other dash; empty if there is none.
find_module() {
  find "$out/unpacked" -name "$(printf '%s' "$1" | sed 's/[-_]/[-_]/g').ko*" | head -n 1
}

# Copies a module's file to another one.
unpack_module() {
  case $1 in
    *.xz) "$out/ram/bin/busybox" unxz -c "$1" >"$2" ;;
    *) cp "$1" "$2" ;;
  esac
}

# Takes a module and before it those that it needs: the order of their insertion.
take_module() {
  set -- "$(printf '%s' "$1" | tr - _)" "$(find_module "$1")"
  [ -n "$2" ] || return 1
  case " $order " in *" $1 "*) return 0 ;; esac
  unpack_module "$2" "$out/ram/modules/$1.ko"
  for needed in $(tr '\0' '\n' <"$out/ram/modules/$1.ko" | sed -n 's/^depends=//p' | tr ',' ' '); do
    take_module "$needed" || return 1
  done
  order="$order $1"
}

cp "$(find "$out/unpacked" -type f -name 'vmlinuz*' | head -n 1)" "$out/vmlinuz"
cp "$out/unpacked/bin/busybox" "$out/ram/bin/busybox"
order=
for module in $modules_if_any; do
  take_module "$module" || true
done
for module in $modules; do
  take_module "$module" ||
    find "$out/unpacked" -name modules.builtin -exec cat {} + | grep -q "/$(printf '%s' "$module" | sed 's/[-_]/[-_]/g').ko" ||
    { echo "$kernel has no module $module" >&2; exit 1; }
done
echo "$order" >"$out/ram/modules/order"
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

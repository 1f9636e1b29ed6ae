#!/bin/sh
# Installs this clone as the service of a table, on Debian 12 or 13 or a 64-bit Raspberry Pi OS of the same age.
#
#   sh systemd/install.sh               installs, or brings an installation up to this clone; as often as you like
#   sh systemd/install.sh --kiosk       and shows the board on this machine's own screen
#   sh systemd/install.sh --pit         installs the console of a pit desk, which shows many tables, and no table's
#   sh systemd/install.sh --uninstall   removes the software; configuration and record stay
#   sh systemd/install.sh --uninstall --purge   and removes these too
#
# As root. It also works in a root folder whose system is not running (chroot), as when an image is made.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
clone=$(dirname "$here")
opt=/opt/table-controller
conf=/etc/table-controller
record=/var/lib/table-controller
# Programs that open every port they find.
grabbers="ModemManager.service brltty.service brltty-udev.service"

# What is copied: file in this folder, place, mode.
files() {
    cat <<END
table-controller.service        /etc/systemd/system/table-controller.service        644
table-controller-alert@.service /etc/systemd/system/table-controller-alert@.service 644
table-controller-kiosk.service  /etc/systemd/system/table-controller-kiosk.service  644
table-pit.service               /etc/systemd/system/table-pit.service               644
table-controller.rules          /etc/udev/rules.d/65-table-controller.rules         644
modules-load.conf               /etc/modules-load.d/table-controller.conf           644
sysusers.conf                   /etc/sysusers.d/table-controller.conf               644
tmpfiles.conf                   /etc/tmpfiles.d/table-controller.conf               644
system.conf                     /etc/systemd/system.conf.d/table-controller.conf    644
journald.conf                   /etc/systemd/journald.conf.d/table-controller.conf  644
alert.sh                        $opt/bin/alert                                      755
alert-unless-success.sh         $opt/bin/alert-unless-success                       755
kiosk.sh                        $opt/bin/kiosk                                      755
README.md                       $opt/README.md                                      644
threats.md                      $opt/threats.md                                     644
END
}

say() {
    echo "install: $*"
}

fail() {
    echo "install: $*" >&2
    exit 2
}

# True when this system runs, and not only its files are here.
running() {
    [ -d /run/systemd/system ]
}

# Install the Debian packages that are missing: packages NAME...
packages() {
    missing=
    for name in "$@"; do
        state=$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null) || state=none
        [ "$state" = installed ] || missing="$missing $name"
    done
    [ -n "$missing" ] || return 0
    say "installing from Debian:$missing"
    # shellcheck disable=SC2086 # the names are meant to be split
    if ! apt-get update -qq >/dev/null ||
        ! DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends $missing >/dev/null
    then
        fail "apt-get failed, see above; mend that and start again"
    fi
}

check_machine() {
    [ "$(id -u)" = 0 ] || fail "this needs root; start it with sudo"
    command -v apt-get >/dev/null || fail "no apt-get here; this installs on Debian and Raspberry Pi OS"
    command -v systemctl >/dev/null || fail "no systemd here; apt-get install systemd"
    case $(uname -m) in
        x86_64 | aarch64) ;;
        *) fail "$(uname -m) is no 64-bit processor for which all parts exist; use a 64-bit system" ;;
    esac
}

check_python() {
    python3 -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' ||
        fail "$(python3 --version) will not do; Debian 12 or 13 or Raspberry Pi OS 12 or later has 3.11 to 3.13"
}

# What the environment would be made of, as one line.
ingredients() {
    (
        cd "$clone"
        python3 --version
        find controller drivers config pyproject.toml README.md LICENSE systemd/requirements.lock \
            -name __pycache__ -prune -o -type f -print | LC_ALL=C sort | xargs -d '\n' sha256sum
    ) | sha256sum
}

# The software, in an environment that takes the place of the one in use only when it is whole.
install_software() {
    made_of=$(ingredients)
    if [ "$(cat $opt/venv/ingredients 2>/dev/null)" = "$made_of" ]; then
        say "software: up to date"
        return
    fi
    say "software: installing into $opt, which takes a minute or two"
    drop_old_software
    new=$opt/venv-$(date +%Y%m%dT%H%M%S)
    mkdir -p $opt
    python3 -m venv "$new"
    # Every file is one that the lock names by its hash; this clone itself is built without fetching anything.
    "$new/bin/pip" install --quiet --disable-pip-version-check --no-cache-dir \
        --require-hashes --only-binary :all: --requirement "$here/requirements.lock" ||
        fail "pip failed, see above; what was installed before is untouched"
    "$new/bin/pip" install --quiet --disable-pip-version-check --no-cache-dir \
        --no-index --no-deps --no-build-isolation "$clone" ||
        fail "this clone could not be built, see above; what was installed before is untouched"
    lacking=$("$new/bin/pip" check) || fail "$lacking: requirements.lock is too old; make it anew: sh systemd/lock"
    # The library of the pins comes with the system, built for its Python.
    for file in /usr/lib/python3/dist-packages/lgpio.py /usr/lib/python3/dist-packages/_lgpio*.so; do
        [ ! -e "$file" ] || ln -s "$file" "$new"/lib/python3*/site-packages/
    done
    echo "$made_of" >"$new/ingredients"
    ln -s "$new" $opt/venv.new
    mv -T $opt/venv.new $opt/venv
    ln -sfn $opt/venv/bin/tablectl /usr/local/bin/tablectl
}

# Remove environments that are not in use.
drop_old_software() {
    for old in "$opt"/venv-*; do
        [ ! -d "$old" ] || [ "$old" = "$(readlink $opt/venv)" ] || rm -rf "$old"
    done
}

copy_files() {
    files | while read -r file place mode; do
        cmp -s "$here/$file" "$place" && [ "$(stat -c %a "$place")" = "$mode" ] && continue
        say "file: $place"
        install -D -m "$mode" "$here/$file" "$place"
    done
}

# As shipped, with the state where it belongs on this machine: write_configuration NAME SHIPPED_STATE STATE
write_configuration() {
    file=$conf/$1
    if [ -e "$file" ]; then
        say "configuration: $file is kept"
        return
    fi
    say "configuration: $file, as shipped"
    sed "s|^state = \"$2\" |state = \"$3\" |" "$clone/config/$1" >"$file"
    grep -q "^state = \"$3\"" "$file" || fail "config/$1 has no line for the state"
    chown root:table-controller "$file"
    chmod 640 "$file"
}

mask_grabbers() {
    for unit in $grabbers; do
        [ "$(readlink "/etc/systemd/system/$unit")" = /dev/null ] && continue
        say "masked: $unit, which opens serial ports"
        systemctl --quiet mask "$unit" 2>/dev/null
        ! running || systemctl --quiet stop "$unit" 2>/dev/null || :
        echo "$unit" >>$opt/masked
    done
}

# Let the running system take up what was installed.
take_up() {
    systemctl daemon-reload
    systemctl restart systemd-modules-load.service systemd-journald.service
    if systemctl is-active --quiet systemd-udevd.service; then
        udevadm control --reload
        udevadm trigger --subsystem-match=tty --subsystem-match=usb --subsystem-match=usb-serial \
            --subsystem-match=gpio
    fi
    systemctl try-restart table-controller.service table-pit.service
}

install_all() {
    check_machine
    packages python3-venv libusb-1.0-0 udev
    check_python
    install_software
    copy_files
    systemd-sysusers table-controller.conf
    systemd-tmpfiles --create table-controller.conf
    if [ -n "$pit" ]; then
        write_configuration pit.toml pit-state $record/pit
        systemctl --quiet enable table-pit.service
    else
        write_configuration table.toml state $record
        mask_grabbers
        systemctl --quiet enable table-controller.service
    fi
    if [ -n "$kiosk" ]; then
        packages cage seatd xwayland chromium fonts-noto-core fonts-noto-cjk
        systemctl --quiet enable table-controller-kiosk.service
    fi
    ! running || take_up
    drop_old_software
    say "done: $(tablectl --version). Next:"
    if [ -n "$pit" ]; then
        say "  1. write the tables and their keys into $conf/pit.toml; what is wrong there says"
        say "     tablectl check-config $conf/pit.toml"
        say "  2. runuser -u table-controller -- tablectl user add NAME --role supervisor -c $conf/pit.toml"
        say "  3. systemctl restart table-pit; it also starts with the machine"
        return
    fi
    say "  1. write this table's shoe and limits into $conf/table.toml; what is wrong there says"
    say "     tablectl check-config $conf/table.toml"
    say "  2. runuser -u table-controller -- tablectl user add NAME --role supervisor -c $conf/table.toml"
    say "  3. systemctl restart table-controller; it also starts with the machine"
    say "  4. tablectl doctor -c $conf/table.toml says what keeps the machine from working"
}

uninstall_all() {
    [ "$(id -u)" = 0 ] || fail "this needs root; start it with sudo"
    for unit in table-controller-kiosk.service table-pit.service table-controller.service; do
        [ -e /etc/systemd/system/$unit ] || continue
        ! running || systemctl stop $unit
        systemctl --quiet disable $unit
    done
    if [ -e $opt/masked ]; then
        xargs systemctl --quiet unmask <$opt/masked
    fi
    files | while read -r _ place _; do
        rm -f "$place"
    done
    rmdir --ignore-fail-on-non-empty /etc/systemd/journald.conf.d /etc/systemd/system.conf.d 2>/dev/null || :
    rm -f /usr/local/bin/tablectl
    rm -rf $opt
    if running; then
        systemctl daemon-reload
        systemctl restart systemd-journald.service
        udevadm control --reload 2>/dev/null || :
    fi
    if [ -z "$purge" ]; then
        say "removed; configuration and record are kept: $conf $record"
        return
    fi
    rm -rf $conf $record
    for user in table-controller table-kiosk; do
        ! getent passwd $user >/dev/null || userdel $user
    done
    say "removed, and configuration, record and users with it"
}

kiosk='' pit='' uninstall='' purge=''
for word in "$@"; do
    case $word in
        --kiosk) kiosk=yes ;;
        --pit) pit=yes ;;
        --uninstall) uninstall=yes ;;
        --purge) purge=yes ;;
        *) fail "'$word' is not known; say nothing, --kiosk, --pit, --uninstall or --uninstall --purge" ;;
    esac
done
[ -z "$purge" ] || [ -n "$uninstall" ] || fail "--purge removes the record: it goes with --uninstall only"
[ -z "$kiosk$pit" ] || [ -z "$uninstall" ] || fail "--uninstall removes all that is there: say it alone"
[ -z "$kiosk" ] || [ -z "$pit" ] || fail "--kiosk shows a table's board, and --pit installs no table: say one of them"
if [ -n "$uninstall" ]; then
    uninstall_all
else
    install_all
fi

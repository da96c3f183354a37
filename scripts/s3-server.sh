#!/usr/bin/env bash
# A real S3 server for the tests: OpenStack Swift with its S3 interface, as Debian packages it. It checks signatures.
#
#   eval "$(scripts/s3-server.sh start [FOLDER])"   starts it on free ports; what it prints sets TEST_S3_URL and S3_SERVER
#   scripts/s3-server.sh stop FOLDER                ends what was started there; FOLDER is $S3_SERVER
#
# Installs what is missing where it may (as root, with apt-get); ends with 3 where it cannot be had.
set -euo pipefail

UNAVAILABLE=3
PACKAGES="swift-proxy swift-account swift-container swift-object memcached"
PROGRAMS="swift-proxy-server swift-account-server swift-container-server swift-object-server swift-ring-builder memcached"
START_SECONDS=30

say() { echo "s3-server: $*" >&2; }

are_installed() {
  local program
  for program in $PROGRAMS; do command -v "$program" >/dev/null || return 1; done
}

install() {
  are_installed && return
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    say "not installed, and only root may install it with apt-get ($PACKAGES)"
    return 1
  fi
  say "installing $PACKAGES ..."
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends $PACKAGES; } >"$folder/install.log" 2>&1 &&
    are_installed && return
  say "the packages cannot be installed:"
  tail -n 3 "$folder/install.log" >&2
  return 1
}

# Ports that nobody listens on at this moment. All are taken before any is given back, so that they differ.
free_ports() {
  python3 - "$1" <<'PYTHON'
import socket, sys
sockets = [socket.socket() for _ in range(int(sys.argv[1]))]
for one in sockets:
    one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in sockets))
PYTHON
}

common_settings() { # port
  cat <<SETTINGS
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $1
workers = 0
user = $(id -un)
swift_dir = $folder
devices = $folder/devices
recon_cache_path = $folder/cache
mount_check = false
disable_fallocate = true
log_level = ERROR

SETTINGS
}

# A server of accounts, containers or objects, and the ring that says that it is the only one.
configure_storage() { # kind port
  {
    common_settings "$2"
    printf '[pipeline:main]\npipeline = %s-server\n[app:%s-server]\nuse = egg:swift#%s\n' "$1" "$1" "$1"
  } >"$folder/$1.conf"
  {
    swift-ring-builder "$folder/$1.builder" create 4 1 0
    swift-ring-builder "$folder/$1.builder" add "r1z1-127.0.0.1:$2/disk" 1
    swift-ring-builder "$folder/$1.builder" rebalance
  } >/dev/null
}

configure_proxy() { # port memcached-port
  local filter filters="catch_errors gatekeeper listing_formats bulk slo dlo"
  {
    common_settings "$1"
    cat <<SETTINGS
[pipeline:main]
pipeline = catch_errors gatekeeper cache listing_formats bulk s3api tempauth slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:$2
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
SETTINGS
    for filter in $filters; do printf '[filter:%s]\nuse = egg:swift#%s\n' "$filter" "$filter"; done
  } >"$folder/proxy.conf"
}

run() { # name command...
  local name=$1
  shift
  setsid "$@" >>"$folder/$name.log" 2>&1 </dev/null &
  echo $! >"$folder/$name.pid"
}

answers() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

wait_for() { # name port
  local tries=$((START_SECONDS * 10))
  until answers "$2"; do
    tries=$((tries - 1))
    if [ $tries = 0 ] || ! kill -0 "$(cat "$folder/$1.pid")" 2>/dev/null; then
      say "$1 did not start:"
      tail -n 5 "$folder/$1.log" >&2
      return 1
    fi
    sleep 0.1
  done
}

start() {
  local ports kind
  mkdir -p "$folder/devices/disk" "$folder/cache"
  install || exit $UNAVAILABLE
  read -r -a ports <<<"$(free_ports 5)"
  configure_storage account "${ports[1]}"
  configure_storage container "${ports[2]}"
  configure_storage object "${ports[3]}"
  configure_proxy "${ports[0]}" "${ports[4]}"
  run memcached memcached -u "$(id -un)" -l 127.0.0.1 -p "${ports[4]}"
  for kind in account container object proxy; do run "$kind" "swift-$kind-server" "$folder/$kind.conf"; done
  wait_for memcached "${ports[4]}" && wait_for account "${ports[1]}" && wait_for container "${ports[2]}" &&
    wait_for object "${ports[3]}" && wait_for proxy "${ports[0]}" || {
    stop
    exit $UNAVAILABLE
  }
  local query="endpoint=http://127.0.0.1:${ports[0]}&region=us-east-1"
  echo "export S3_SERVER='$folder' TEST_S3_URL='s3://test%3Atester:testing@tenderhall-tests?$query'"
}

stop() {
  local file
  for file in "$folder"/*.pid; do
    [ -e "$file" ] || continue
    kill -- "-$(cat "$file")" 2>/dev/null || true
    rm -f "$file"
  done
}

case "${1:-}" in
  start)
    folder=$(realpath -m "${2:-$(mktemp -d)}")
    mkdir -p "$folder"
    start
    ;;
  stop)
    folder=$(realpath -m "${2:?which folder?}")
    stop
    ;;
  *)
    sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac

#!/bin/sh
# Called after npm ci when the Node.js that came with it does not run: on Linux it needs libatomic, which slim images
# leave out. Installs it (Debian, as root), or falls back on the host's Node.js 24 or newer, or says what to do.
node=node_modules/.bin/node
"$node" -e 0 2>/dev/null && exit 0

if [ "$(id -u)" = 0 ] && [ -f /etc/debian_version ]; then
  echo "Doorward brings Node.js 26, which needs libatomic: installing Debian's package libatomic1" >&2
  export DEBIAN_FRONTEND=noninteractive
  { apt-get -q update && apt-get -q install -y --no-install-recommends libatomic1; } >/dev/null 2>&1
  "$node" -e 0 2>/dev/null && exit 0
fi

if "$npm_node_execpath" -e 'process.exit(parseInt(process.versions.node) >= 24 ? 0 : 1)' 2>/dev/null; then
  rm -f "$node"
  exit 0
fi

echo "The Node.js 26 that Doorward brings does not run here ($("$node" -e 0 2>&1 | head -n 1))." >&2
echo "Install libatomic (Debian, Ubuntu: apt-get install libatomic1; Fedora: dnf install libatomic) or Node.js 24 or newer." >&2
exit 1

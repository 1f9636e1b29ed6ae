#!/bin/sh
# The board on this machine's screen. BOARD: its address.
#
#   kiosk wait   returns when somebody listens there
#   kiosk show   the browser; RUNTIME_DIRECTORY is its folder, a new one at every start
set -eu

listens='
import socket, sys
from urllib.parse import urlsplit
board = urlsplit(sys.argv[1])
socket.create_connection((board.hostname, board.port or {"https": 443}.get(board.scheme, 80)), timeout=2)
'

case ${1:-} in
    wait)
        until /opt/table-controller/venv/bin/python -c "$listens" "$BOARD" 2>/dev/null; do
            sleep 1
        done
        ;;
    show)
        browser=$(command -v chromium || command -v chromium-browser)
        exec "$browser" --kiosk --ozone-platform=wayland --user-data-dir="$RUNTIME_DIRECTORY/profile" \
            --hide-crash-restore-bubble --no-first-run --no-default-browser-check --noerrdialogs \
            --disable-background-networking --disable-component-update --disable-sync --disable-pinch \
            --disable-features=Translate --overscroll-history-navigation=0 --password-store=basic "$BOARD"
        ;;
    *)
        echo "kiosk: say wait or show" >&2
        exit 2
        ;;
esac

#!/bin/sh
# Tells that a unit failed: alert UNIT
#
# To the journal at critical priority, to every terminal, to the alert targets of table.toml, and to
# /etc/table-controller/on-failure, a program of the house's own that is called with the unit and the text. Once in
# ten minutes for each unit: one that fails every two seconds must not bury the message that counts.
set -u

unit=${1:?say which unit failed}
every=600
kept=$RUNTIME_DIRECTORY/$unit
table=/etc/table-controller/table.toml
own=/etc/table-controller/on-failure

now=$(cut -d. -f1 /proc/uptime)
last=$(cat "$kept" 2>/dev/null)
[ -z "$last" ] || [ $((now - last)) -ge $every ] || exit 0
echo "$now" >"$kept"

result=$(systemctl show --property=Result --value "$unit")
restarts=$(systemctl show --property=NRestarts --value "$unit")
text="$unit failed ($result) and is started again, as $restarts times before; journalctl -u $unit says more"

# systemd takes the number for the priority: critical.
echo "<2>$text"
wall "$text" 2>/dev/null
# A pit desk has no table, and so no targets of one.
[ ! -e $table ] || /opt/table-controller/venv/bin/tablectl alert -c $table "$text"
[ ! -x $own ] || $own "$unit" "$text" || echo "<3>$own failed"
exit 0

#!/bin/sh
# Called after every stop of a unit: alert-unless-success UNIT. Before systemd 254, OnFailure= does not fire while a
# unit is restarted for ever.
[ "$SERVICE_RESULT" = success ] || exec systemctl start --no-block "table-controller-alert@$1.service"

#!/bin/sh
# Tries an image: smoke-test.sh IMAGE. It starts the service as compose.yaml does, waits until its health check succeeds,
# and reads rows of the example bookshop in the browser of the image. CONTAINERS: the program, by default docker.
set -eu
image=$1
run=${CONTAINERS:-docker}
container=$("$run" run --detach --read-only --tmpfs /tmp:mode=1777,size=512m --cap-drop ALL \
  --security-opt no-new-privileges "$image" start --example)
trap '"$run" logs "$container" | grep -v glr_; "$run" rm --force --volumes "$container" > /dev/null' EXIT
inside() { "$run" exec "$container" "$@"; }

# The command of the image's health check. Node.js replaces the variable.
# shellcheck disable=SC2016
healthy='fetch(`http://127.0.0.1:${process.env.GLEANER_PORT}/v1/health`).then(({ ok }) => process.exit(ok ? 0 : 1))'
tries=0
until inside node -e "$healthy" 2> /dev/null; do
  tries=$((tries + 1))
  [ "$tries" -lt 60 ] || { echo "The service is not healthy." >&2; exit 1; }
  sleep 1
done
[ "$(inside id -u)" != 0 ] || { echo "The service runs as root." >&2; exit 1; }

inside gleaner scraper put examples/shop-catalogue.json
inside gleaner run start latest --limit 5 -o /tmp/rows.csv
inside cat /tmp/rows.csv
# A line for each row, and one with the names of the columns.
[ "$(inside cat /tmp/rows.csv | wc -l)" = 6 ] || { echo "The run did not read 5 rows." >&2; exit 1; }
inside gleaner backup /tmp/backup
echo "The image works."

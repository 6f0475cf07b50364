# Stands in for a database. The shop is open as long as its folder exists.
shop=${TMPDIR:-/tmp}/prochost-tour-$PPID
trap 'rm -rf "$shop"; exit 0' TERM

echo "opening files"
mkdir -p "$shop"
sleep 0.3
echo "ready to accept connections"

while [ -d "$shop" ]; do sleep 0.1; done
echo "closing files"

# Breaks at its first start, because there is no cache, and leaves one to the second.
shop=${TMPDIR:-/tmp}/prochost-tour-$PPID

echo "reading the cache"
sleep 0.3
if mkdir "$shop/cache" 2>/dev/null; then
	echo "panic: there was no cache" >&2
	exit 3
fi
echo "listening, prices in $CURRENCY"

while [ -d "$shop" ]; do sleep 0.1; done
echo "closed"

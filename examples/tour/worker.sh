# Packs five orders, then closes the shop.
shop=${TMPDIR:-/tmp}/prochost-tour-$PPID

for order in 1 2 3 4 5; do
	sleep 0.2
	if [ "$order" = 3 ]; then
		echo "order $order is late" >&2
	fi
	echo "packed order $order"
done
rm -rf "$shop"

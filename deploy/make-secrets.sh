#!/bin/sh
# Creates the secrets that docker-compose.secrets.yml and docker-compose.scale.yml read from secrets/. Existing, non-empty
# files keep their content.
#
#   sh deploy/make-secrets.sh [folder]
#
# Keep a copy of the folder elsewhere: without encryption-key, no sealed picture can be read any more.
set -eu

folder=${1:-secrets}
umask 077
mkdir -p "$folder"

# Docker made a folder of each file that was missing when the containers were created.
for each in "$folder"/*; do
  [ ! -d "$each" ] || rmdir "$each"
done

put() {
  [ -s "$folder/$1" ] && return
  printf '%s\n' "$2" > "$folder/$1.new"
  mv "$folder/$1.new" "$folder/$1"
}

# The assignment ends the script if openssl fails or is missing; in a pipe or an argument it would not.
random() {
  value=$(openssl rand -hex "$2")
  put "$1" "$value"
}

random postgres-password 24
random jwt-secret 32
random encryption-key 32
random s3-access-key-id 10
random s3-secret-access-key 32
random grafana-password 12

# PgBouncer's file doubles the quotes of a password.
put pgbouncer-users "\"gallery\" \"$(sed 's/"/""/g' "$folder/postgres-password")\""
put database-url postgres://gallery@pooler:6432/gallery
put database-direct-url postgres://gallery@database:5432/gallery

# Optional: they stay empty without a mail server, without a sign-in provider, and with the printed link to the first administrator.
touch "$folder/smtp-url" "$folder/oidc-client-secret" "$folder/setup-token"

# Containers read the files as different users; the folder itself is closed to other users of this machine.
chmod 0700 "$folder"
chmod 0644 "$folder"/*

#!/bin/sh
# Creates the secrets that docker-compose.scale.yml reads from secrets/. Existing, non-empty files stay unchanged.
#
#   sh deploy/make-secrets.sh [folder]
#
# Keep a copy of the folder elsewhere: without encryption-key, no picture can be read any more.
set -eu

folder=${1:-secrets}
umask 077
mkdir -p "$folder"

# Containers read the files as different users; the folder itself is closed to other users of this machine.
put() {
  [ -s "$folder/$1" ] && return
  printf '%s\n' "$2" > "$folder/$1.new"
  chmod 0444 "$folder/$1.new"
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

password=$(cat "$folder/postgres-password")
put pgbouncer-users "\"gallery\" \"$password\""
put database-url "postgres://gallery:$password@pooler:6432/gallery"
put database-direct-url "postgres://gallery:$password@database:5432/gallery"

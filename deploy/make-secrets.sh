#!/bin/sh
# Makes what docker-compose.scale.yml reads from secrets/, each value once: what is there already stays as it is.
#
#   sh deploy/make-secrets.sh [folder]
#
# Keep a copy of the folder somewhere else: without encryption-key no picture can be read any more.
set -eu

folder=${1:-secrets}
umask 077
mkdir -p "$folder"

# Containers read the files under users of their own; the folder is closed to everybody else on this machine.
put() {
  [ -e "$folder/$1" ] && return
  cat > "$folder/$1.new"
  chmod 0444 "$folder/$1.new"
  mv "$folder/$1.new" "$folder/$1"
}

hex() { openssl rand -hex "$1"; }

hex 24 | put postgres-password
hex 32 | put jwt-secret
hex 32 | put encryption-key
hex 10 | put s3-access-key-id
hex 32 | put s3-secret-access-key
hex 12 | put grafana-password

password=$(cat "$folder/postgres-password")
printf '"gallery" "%s"\n' "$password" | put pgbouncer-users
printf 'postgres://gallery:%s@pooler:6432/gallery\n' "$password" | put database-url
printf 'postgres://gallery:%s@database:5432/gallery\n' "$password" | put database-direct-url

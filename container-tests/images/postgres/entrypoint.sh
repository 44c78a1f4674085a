#!/bin/bash
# Starts Postgres. Creates the cluster at the first start as the official image documents it: the superuser and its password,
# the database, then every file of /docker-entrypoint-initdb.d in the order of their names.
set -eo pipefail

# A variable's value may be in a file.
for name in POSTGRES_PASSWORD POSTGRES_USER POSTGRES_DB POSTGRES_INITDB_ARGS; do
  file=${name}_FILE
  if [ -n "${!file}" ]; then
    [ -z "${!name}" ] || { echo "error: both $name and $file are set (but are exclusive)" >&2; exit 1; }
    export "$name"="$(< "${!file}")"
    unset "$file"
  fi
done

[ "$1" = postgres ] || exec "$@"

if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA"
  chmod 0700 "$PGDATA"
  find "$PGDATA" /var/run/postgresql \! -user postgres -exec chown postgres '{}' +
  exec setpriv --reuid=postgres --regid=postgres --init-groups -- "$0" "$@"
fi

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  export POSTGRES_USER=${POSTGRES_USER:-postgres}
  export POSTGRES_DB=${POSTGRES_DB:-$POSTGRES_USER}
  if [ -z "$POSTGRES_PASSWORD" ] && [ "$POSTGRES_HOST_AUTH_METHOD" != trust ]; then
    echo 'Error: Database is uninitialized and superuser password is not specified.' >&2
    exit 1
  fi
  # Split on purpose: the variable has several arguments.
  # shellcheck disable=SC2086
  initdb --username="$POSTGRES_USER" --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD") $POSTGRES_INITDB_ARGS
  printf '\nhost all all all %s\n' "${POSTGRES_HOST_AUTH_METHOD:-scram-sha-256}" >> "$PGDATA/pg_hba.conf"

  # Only on its socket, so that nobody connects before the setup is complete.
  pg_ctl -D "$PGDATA" -o "-c listen_addresses=''" -w start
  psql=(psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --no-password --no-psqlrc)
  [ "$POSTGRES_DB" = postgres ] || "${psql[@]}" --dbname postgres --set db="$POSTGRES_DB" <<< 'CREATE DATABASE :"db" ;'
  shopt -s nullglob
  for file in /docker-entrypoint-initdb.d/*; do
    case $file in
      *.sh)
        echo "running $file"
        # shellcheck disable=SC1090
        if [ -x "$file" ]; then "$file"; else . "$file"; fi
        ;;
      *.sql)
        echo "running $file"
        "${psql[@]}" --dbname "$POSTGRES_DB" -f "$file"
        ;;
      *) echo "ignoring $file" ;;
    esac
  done
  pg_ctl -D "$PGDATA" -m fast -w stop
  unset PGPASSWORD
  echo 'PostgreSQL init process complete; ready for start up.'
fi

exec "$@"

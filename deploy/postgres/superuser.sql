-- After role.sql, where the database is the gallery's alone: the superuser has no password any more, so that it logs in by
-- the container's own socket (docker compose exec) and by no network.
alter role postgres password null;

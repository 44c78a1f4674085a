-- Runs after role.sql if the database belongs only to the gallery. Without a password, the superuser can log in through the
-- container's socket (docker compose exec) but not over the network.
alter role postgres password null;

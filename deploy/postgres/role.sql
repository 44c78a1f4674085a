-- Creates the app's role, which owns the gallery's tables and nothing else. The Postgres image runs this once, when it
-- creates the database (/docker-entrypoint-initdb.d), with the app's password in POSTGRES_PASSWORD.
--
-- For your own Postgres, with POSTGRES_PASSWORD in the environment of psql:
--   psql --dbname gallery --file deploy/postgres/role.sql
\set ON_ERROR_STOP on
\getenv password POSTGRES_PASSWORD
-- Keeps a failed statement, which contains the password, out of the log.
set log_min_error_statement = panic;
begin;
create role gallery login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'password';
alter database gallery owner to gallery;
commit;

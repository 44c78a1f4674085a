-- The role that the app works as: it owns the gallery's tables and nothing else. The image of Postgres runs this once, when
-- it makes the database (/docker-entrypoint-initdb.d), with the app's password in POSTGRES_PASSWORD.
--
-- For a Postgres of your own, with POSTGRES_PASSWORD in the environment of psql:
--   psql --dbname gallery --file deploy/postgres/role.sql
\set ON_ERROR_STOP on
\getenv password POSTGRES_PASSWORD
-- A statement that fails is not written to the log with the password in it.
set log_min_error_statement = panic;
begin;
create role gallery login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'password';
alter database gallery owner to gallery;
commit;

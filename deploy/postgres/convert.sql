-- Converts a database of docker-compose.yml or docker-compose.scale.yml from before the app had a separate role, when it
-- used the superuser "gallery". First stop the app and make a backup (docs/run/installation.md, "Upgrading"), then run:
--
--   docker compose exec -T database psql --username gallery --dbname gallery --file - < deploy/postgres/convert.sql
--
-- Afterwards the superuser is called "postgres" and has no password; "gallery" keeps its password, owns the tables and is
-- not a superuser. If the script was interrupted, run it again with --username postgres.
\set ON_ERROR_STOP on
set log_min_error_statement = panic;
select not exists (select from pg_roles where rolname = 'postgres') as is_old \gset
\if :is_old
-- A role cannot rename itself, so another one does.
drop role if exists gallery_conversion;
create role gallery_conversion superuser login;
\connect - gallery_conversion
alter role gallery rename to postgres;
\endif
\connect - postgres
set log_min_error_statement = panic;
begin;
drop role if exists gallery_conversion;
do $$
declare
  statement text;
begin
  perform set_config('search_path', 'pg_catalog', true);
  if not exists (select from pg_roles where rolname = 'gallery') then
    create role gallery;
    -- Copies the stored hash, so that no statement contains the password.
    execute format('alter role gallery password %L', (select rolpassword from pg_authid where rolname = 'postgres'));
  end if;
  alter role gallery login nosuperuser nocreatedb nocreaterole noreplication nobypassrls inherit;
  alter role postgres password null;
  execute format('alter database %I owner to gallery', current_database());
  alter schema public owner to pg_database_owner;
  -- Same as server/database/ownership.ts; server/deployment/role.postgres.test.ts compares them.
  for statement in
    select format('revoke %I from gallery', g.rolname)
      from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = 'gallery'::regrole
    union all
    select format('alter schema %I owner to gallery', o.nspname)
      from pg_namespace o where nspname <> 'public' and
      o.oid not in (select oid from pg_namespace where nspname ~ '^pg_' or nspname = 'information_schema')
      and not exists (select from pg_depend where classid = 'pg_namespace'::regclass and objid = o.oid and deptype = 'e')
    union all
    select format('alter table %s owner to gallery', o.oid::regclass)
      from pg_class o where relkind in ('r', 'p', 'v', 'm', 'f') and
      o.relnamespace not in (select oid from pg_namespace where nspname ~ '^pg_' or nspname = 'information_schema')
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = o.oid and deptype = 'e')
    union all
    select format('alter sequence %s owner to gallery', o.oid::regclass)
      from pg_class o where relkind = 'S' and
      o.relnamespace not in (select oid from pg_namespace where nspname ~ '^pg_' or nspname = 'information_schema')
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = o.oid and deptype = 'e')
      and not exists (select from pg_depend
        where classid = 'pg_class'::regclass and objid = o.oid and deptype in ('a', 'i'))
    union all
    select format('alter routine %s owner to gallery', o.oid::regprocedure)
      from pg_proc o where
      o.pronamespace not in (select oid from pg_namespace where nspname ~ '^pg_' or nspname = 'information_schema')
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = o.oid and deptype = 'e')
    union all
    select format('alter type %s owner to gallery', o.oid::regtype)
      from pg_type o where
      o.typnamespace not in (select oid from pg_namespace where nspname ~ '^pg_' or nspname = 'information_schema')
      and not exists (select from pg_depend where classid = 'pg_type'::regclass and objid = o.oid and deptype = 'e')
      and typtype in ('b', 'c', 'd', 'e', 'r')
      and not exists (select from pg_type element where element.typarray = o.oid)
      and (typrelid = 0 or exists (select from pg_class where oid = typrelid and relkind = 'c'))
    union all
    select format('alter statistics %I.%I owner to gallery', n.nspname, o.stxname)
      from pg_statistic_ext o join pg_namespace n on n.oid = o.stxnamespace
      where
      o.stxnamespace not in (select oid from pg_namespace where nspname ~ '^pg_' or nspname = 'information_schema')
      and not exists (select from pg_depend where classid = 'pg_statistic_ext'::regclass and objid = o.oid and deptype = 'e')
  loop
    execute statement;
  end loop;
end
$$;
commit;

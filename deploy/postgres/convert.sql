-- Converts a database of docker-compose.yml or docker-compose.scale.yml from before the app had a role of its own, where it
-- worked as the superuser "gallery". Stop the app and make a backup first (docs/run/installation.md, "Upgrading"), then:
--
--   docker compose exec -T database psql --username gallery --dbname gallery --file - < deploy/postgres/convert.sql
--
-- The superuser is called "postgres" from then on and has no password; "gallery" keeps its password, owns the tables and is
-- no superuser. Run it again, as --username postgres, where it was broken off.
\set ON_ERROR_STOP on
set log_min_error_statement = panic;
select not exists (select from pg_roles where rolname = 'postgres') as is_old \gset
\if :is_old
-- Nobody can rename the role that he is logged in as.
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
    -- The password is taken over as it is stored, so that it is in no statement that anybody sends.
    execute format('alter role gallery password %L', (select rolpassword from pg_authid where rolname = 'postgres'));
  end if;
  alter role gallery login nosuperuser nocreatedb nocreaterole noreplication nobypassrls inherit;
  alter role postgres password null;
  execute format('alter database %I owner to gallery', current_database());
  alter schema public owner to pg_database_owner;
  -- The same as in server/database/ownership.ts: server/deployment/role.postgres.test.ts compares them.
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

export const ROLE = 'gallery';
/** The owner of the cluster, without a password and without a login. */
export const SUPERUSER = 'postgres';
/** The database that has held the tables since the first release. */
export const DATABASE = 'postgres';

const RIGHTS = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls inherit';

/** SQL condition for the gallery's objects: outside Postgres' own schemas, and not part of an extension. */
const isGalleryObject = (catalog: string, schema: string) => `
      ${schema} not in (select oid from pg_namespace where nspname ~ '^pg_' or nspname = 'information_schema')
      and not exists (select from pg_depend where classid = '${catalog}'::regclass and objid = o.oid and deptype = 'e')`;

/**
 * The statement, atomic and repeatable, that creates the server's role and makes it the owner of the tables.
 * @param verifier from scramVerifier
 * @param token value of `gallery.outcome` on success
 */
export function roleStatement(verifier: string, token: string): string {
  return `do $gallery$
declare
  statement text;
begin
  perform set_config('search_path', 'pg_catalog', true);
  if not exists (select from pg_roles where rolname = '${ROLE}') then
    create role ${ROLE};
  end if;
  alter role ${ROLE} ${RIGHTS} password '${verifier}';
  alter role ${SUPERUSER} password null;
  alter database ${DATABASE} owner to ${ROLE};
  alter schema public owner to pg_database_owner;
  for statement in
    select format('revoke %I from ${ROLE}', g.rolname)
      from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = '${ROLE}'::regrole
    union all
    select format('alter schema %I owner to ${ROLE}', o.nspname)
      from pg_namespace o where nspname <> 'public' and ${isGalleryObject('pg_namespace', 'o.oid')}
    union all
    select format('alter table %s owner to ${ROLE}', o.oid::regclass)
      from pg_class o where relkind in ('r', 'p', 'v', 'm', 'f') and ${isGalleryObject('pg_class', 'o.relnamespace')}
    union all
    select format('alter sequence %s owner to ${ROLE}', o.oid::regclass)
      from pg_class o where relkind = 'S' and ${isGalleryObject('pg_class', 'o.relnamespace')}
      and not exists (select from pg_depend
        where classid = 'pg_class'::regclass and objid = o.oid and deptype in ('a', 'i'))
    union all
    select format('alter routine %s owner to ${ROLE}', o.oid::regprocedure)
      from pg_proc o where ${isGalleryObject('pg_proc', 'o.pronamespace')}
    union all
    select format('alter type %s owner to ${ROLE}', o.oid::regtype)
      from pg_type o where ${isGalleryObject('pg_type', 'o.typnamespace')} and typtype in ('b', 'c', 'd', 'e', 'r')
      and not exists (select from pg_type element where element.typarray = o.oid)
      and (typrelid = 0 or exists (select from pg_class where oid = typrelid and relkind = 'c'))
    union all
    select format('alter statistics %I.%I owner to ${ROLE}', n.nspname, o.stxname)
      from pg_statistic_ext o join pg_namespace n on n.oid = o.stxnamespace
      where ${isGalleryObject('pg_statistic_ext', 'o.stxnamespace')}
  loop
    execute statement;
  end loop;
  perform set_config('gallery.outcome', '${token}', false);
end
$gallery$`;
}

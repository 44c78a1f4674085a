import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { DatabaseStartError } from './start-error.ts';

/** A database's address. A host that starts with a slash is the folder of its Unix socket. */
export type Address = {
  host: string;
  port: number;
  user: string;
  password?: string;
  database: string;
  ssl?: 'require' | 'prefer' | 'allow' | 'verify-full' | { ca: string; checkServerIdentity?: () => undefined } | false;
  parameters?: Record<string, string>;
  /** Whether host and database may be part of a password that cuts the URL, so that no message quotes them. */
  isSecret?: boolean;
};

const PASSED_ON = ['options', 'search_path', 'application_name'];

const isTls = (mode: string): mode is 'require' | 'prefer' | 'allow' | 'verify-full' =>
  ['require', 'prefer', 'allow', 'verify-full'].includes(mode);

const tlsOf = (query: URLSearchParams): Address['ssl'] => {
  const mode = query.get('sslmode') ?? 'disable';
  const root = query.get('sslrootcert');
  const verifies = mode.startsWith('verify');
  if (root && root !== 'system' && verifies) return { ca: readFileSync(root, 'utf8') };
  // As in libpq, a root certificate makes "require" verify the issuer but not the host name.
  if (root && root !== 'system' && mode === 'require') {
    return { ca: readFileSync(root, 'utf8'), checkServerIdentity: () => undefined };
  }
  if (mode === 'verify-ca' || (root === 'system' && mode === 'require')) return 'verify-full';
  return isTls(mode) ? mode : false;
};

const isLocal = ({ hostname }: URL): boolean => hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) > 0;

type Options = {
  /** The variable's name, for the error. */
  name?: string;
  /** Used if the URL contains no password. */
  password?: string | undefined;
};

/**
 * Parses a `postgres://` URL. A Unix socket's folder is `?host=/folder` (as in libpq) or the percent-encoded host.
 * @throws DatabaseStartError, which never quotes the URL: it may contain a password
 */
export function parseDatabaseUrl(text: string, { name = 'DATABASE_URL', password }: Options = {}): Address {
  try {
    // libpq allows an empty host after the user; URL does not.
    const url = new URL(text.replace(/^(\w+:\/\/[^/?#]*@)(?=[/?]|$)/, '$1localhost'));
    if (!/^postgres(ql)?:$/.test(url.protocol)) throw new Error('wrong protocol');
    // An unencoded `/`, `?` or `#` cuts the password: its beginning would be the port, and be shown as one. In .env, `#`
    // even begins a comment.
    const isCut =
      url.hash || url.pathname.includes('@') || (url.port && !url.username && !url.pathname && !isLocal(url));
    if (isCut) throw new Error('a password that is not encoded');
    const user = decodeURIComponent(url.username) || 'postgres';
    const parameters = PASSED_ON.flatMap((name) => {
      const value = url.searchParams.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    return {
      host: url.searchParams.get('host') || decodeURIComponent(url.hostname).replace(/^\[|\]$/g, '') || 'localhost',
      port: Number(url.port || url.searchParams.get('port') || 5432),
      user,
      // Postgres compares a SCRAM password in NFKC (SASLprep), and the driver sends it as it is.
      ...(url.password
        ? { password: decodeURIComponent(url.password), isSecret: true }
        : password && { password: password.normalize('NFKC') }),
      database: decodeURIComponent(url.pathname.slice(1)) || user,
      ssl: tlsOf(url.searchParams),
      parameters: Object.fromEntries(parameters),
    };
  } catch (cause) {
    const detail = cause instanceof Error && 'syscall' in cause ? `: ${cause.message}` : '';
    throw new DatabaseStartError(
      `${name} must have the form postgres://user:password@host:5432/database${detail}. ` +
        'A password with characters like @ / ? # % must be percent-encoded; DATABASE_PASSWORD takes it as it is.',
    );
  }
}

export function databaseUrl({ host, port, user, password, database }: Address): string {
  const login = password ? `${encodeURIComponent(user)}:${encodeURIComponent(password)}` : encodeURIComponent(user);
  const name = encodeURIComponent(database);
  return host.startsWith('/')
    ? `postgres://${login}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
    : `postgres://${login}@${host}:${port}/${name}`;
}

/**
 * The embedded database's only login: a role with a password that owns the gallery's tables and nothing else. The
 * superuser cannot log in; its work is done in single-user mode before Postgres serves.
 */
import { randomUUID } from 'node:crypto';
import { chownSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseStartError } from '../start-error.ts';
import { oneLine } from './launcher.ts';
import { ensurePassword, fingerprint, scramVerifier, writeDurably } from './password.ts';
import type { StartParameters } from './postmaster.ts';
import { DATABASE, ROLE, roleStatement } from './role-statement.ts';
import { runAsSuperuser } from './single-user.ts';

const RULES_FILE = 'pg_hba.conf';

/** The login rules. Their fingerprint ties the cluster to its password: a new password recreates the role. */
function loginRules(password: string): string {
  const [type, address] = process.platform === 'win32' ? ['host', '127.0.0.1/32'] : ['local', ''];
  return `# Written by the gallery's server. Changes are undone at its next start.
# password ${fingerprint(password)}, role ${ROLE}, version 1
${[type, DATABASE, ROLE, address, 'scram-sha-256'].join('  ')}
`;
}

/**
 * Creates the role in a new cluster. Converts a cluster of an earlier version, in which the superuser owned everything
 * and logged in without a password. The login rules are written last, so the next start repeats an interrupted run.
 * @throws DatabaseStartError with the output of Postgres
 */
export async function ensureServerRole(parameters: StartParameters): Promise<void> {
  const { folder, cluster } = parameters;
  const password = ensurePassword(folder);
  const rules = loginRules(password);
  if (readRules(cluster) === rules) return;
  const token = randomUUID();
  const output = await runAsSuperuser(parameters, DATABASE, [
    roleStatement(scramVerifier(password), token),
    `select current_setting('gallery.outcome', true) as outcome`,
  ]);
  if (!output.includes(`outcome = "${token}"`)) {
    throw new DatabaseStartError(
      `The role of the server could not be made in ${cluster}: ${oneLine(withoutVerifier(output)).slice(-800)}`,
    );
  }
  const { uid, gid } = statSync(join(cluster, 'PG_VERSION'));
  writeDurably(cluster, RULES_FILE, rules);
  if (process.getuid?.() === 0) chownSync(join(cluster, RULES_FILE), uid, gid);
}

const withoutVerifier = (text: string): string => text.replaceAll(/SCRAM-SHA-256\$[^'\s]*/g, '…');

function readRules(cluster: string): string {
  try {
    return readFileSync(join(cluster, RULES_FILE), 'utf8');
  } catch {
    return '';
  }
}

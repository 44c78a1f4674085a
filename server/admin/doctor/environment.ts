import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../database/connect.ts';
import type { Level } from '../../decoder/cage/launch.ts';
import { type Isolation, whyNot } from '../../decoder/isolation.ts';
import { CannotDecode } from '../../decoder/pool/choose-isolation.ts';
import type { Report } from './issues.ts';
import { databaseTime } from './queries.ts';

const GIB = 2 ** 30;

export async function checkSpace(root: string, report: Report): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(root);
  const free = bavail * bsize;
  const share = bavail / Math.max(blocks, 1);
  if (free >= GIB && share >= 0.05) return;
  const detail = `${(free / GIB).toFixed(1)} GiB free, ${(share * 100).toFixed(1)} % of the disk`;
  report({ kind: 'space low', subject: root, detail, repaired: false });
}

/** Seconds by which clocks may differ. */
const APART = 5;

/** @param now ms since 1970, by this machine's clock */
export async function checkClock(db: Database, report: Report, now: () => number = Date.now): Promise<void> {
  const asked = now();
  const theirs = await databaseTime(db);
  const answered = now();
  const apart = Math.max(asked - theirs, theirs - answered, 0) / 1000;
  if (apart <= APART) return;
  report({ kind: 'clock apart', subject: 'clock', detail: `${apart.toFixed(1)} seconds apart`, repaired: false });
}

/** @returns the level; undefined if no decoder works */
export async function checkDecoders(choose: () => Promise<Isolation>, report: Report): Promise<Level | undefined> {
  try {
    const isolation = await choose();
    const { level } = isolation.launch;
    if (level === 'process') {
      report({ kind: 'decoders open', subject: 'decoders', detail: whyNot(isolation), repaired: false });
    }
    return level;
  } catch (error) {
    if (!(error instanceof CannotDecode)) throw error;
    // A full disk is reported as little space.
    if (error.ofStorage) return undefined;
    report({ kind: 'decoders broken', subject: 'decoders', detail: error.message, repaired: false });
    return undefined;
  }
}

export async function checkSettings(config: Config, report: Report): Promise<void> {
  const unsafe = (subject: string, detail: string) =>
    report({ kind: 'setting unsafe', subject, detail, repaired: false });
  const open = (subject: string, detail: string) => report({ kind: 'setting open', subject, detail, repaired: false });
  await checkSecret(config, unsafe);
  if (config.rateLimit === 'off') unsafe('RATE_LIMIT', 'off: passwords can be guessed without end');
  if (config.publicUrl === undefined) {
    open('PUBLIC_URL', 'not set: links begin with the host that each request names');
  } else if (config.publicUrl.startsWith('http:')) {
    open('PUBLIC_URL', `${config.publicUrl}: without https, passwords and pictures can be read on their way`);
  }
  if (config.publicUrl !== undefined && config.trustProxy === undefined) {
    open('TRUST_PROXY', 'not set: behind a proxy, all users share the rate limits of its one address');
  }
  if (config.registration === 'open')
    open('REGISTRATION', 'open: anyone who reaches this server can create an account');
  if (config.registration === 'open' && config.quota === undefined) {
    open('QUOTA', 'not set while registration is open: one stranger can fill the disk');
  }
  if (config.stripLocation === 'off') open('STRIP_LOCATION', 'off: public links show where photographs were taken');
}

/** Checks the file that holds the secret if none is set. */
async function checkSecret(
  { dataDir, jwtSecret }: Config,
  unsafe: (subject: string, detail: string) => void,
): Promise<void> {
  if (jwtSecret !== undefined || process.platform === 'win32') return;
  const path = join(dataDir, 'jwt-secret');
  const info = await stat(path).catch(() => undefined);
  if (!info || (info.mode & 0o077) === 0) return;
  unsafe(path, `mode 0${(info.mode & 0o777).toString(8)}: others can read it, and sign in as anybody; chmod 600`);
}

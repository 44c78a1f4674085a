/** Which level of isolation this machine allows: tried, not guessed. */
import { accessSync, constants } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Launch, Level } from '../cage/launch.ts';
import { CRASHED, TOO_LONG } from '../core/failure.ts';
import { decodeLimits } from '../core/limits.ts';
import { EndedEarly } from './decoder-process.ts';
import { createMemoryBudget } from './memory-budget.ts';
import { hiddenName, openIn } from './slot.ts';
import { startWorker } from './worker-process.ts';

export type Isolation = {
  launch: Launch;
  /** Why each stronger level was not taken. */
  refused: Partial<Record<Level, string>>;
  /** Whether there is no cage because a trial failed. A decoder started so decodes one picture, and the next one chooses again. */
  unsure?: boolean;
};

/** No one else's: `nobody` may own Postgres' files (database/embedded/launcher.ts). */
const DECODER_USER = 65533;

/** In the container image: a copy of setpriv that may become another user, for the server's group alone. */
const USER_LAUNCHER = '/usr/local/libexec/decoder-setpriv';

export const withoutCage: Isolation = { launch: { level: 'process' }, refused: {} };

/** The strongest first. */
export function launches(root: boolean = process.getuid?.() === 0, userLauncher: string = USER_LAUNCHER): Launch[] {
  const uid = `--uid=${DECODER_USER}`;
  const setpriv = ['--reuid', '--regid'].map((option) => `${option}=${DECODER_USER}`);
  const asUser: Launch[] = root
    ? [{ level: 'user', options: [uid] }]
    : isExecutable(userLauncher)
      ? [{ level: 'user', as: [userLauncher, ...setpriv, '--clear-groups', '--inh-caps=-all'], options: [] }]
      : [];
  return [
    // Root's files may be closed to other users.
    ...(root ? [{ level: 'namespaces', options: ['--namespaces', uid] } as const] : []),
    { level: 'namespaces', options: ['--namespaces'] },
    ...asUser,
    { level: 'filter', options: ['--landlock=required'] },
  ];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** How often a level is tried where the trial itself fails. */
const TRIALS = 3;

/** Ends a trial whose decoder hangs. */
const trialTime = () => AbortSignal.timeout(60_000);

/**
 * @param folder in DATA_DIR, where decoders' input takes its space and which they must not reach
 * @param time ends one trial
 */
export async function chooseIsolation(
  folder: string,
  candidates: Launch[] = launches(),
  time: () => AbortSignal = trialTime,
): Promise<Isolation> {
  const refused: Isolation['refused'] = {};
  if (process.platform !== 'linux') return { ...withoutCage, refused: { namespaces: 'only Linux has them' } };
  let unsure = false;
  for (const launch of candidates) {
    const trial = await repeated(() => tryLaunch(launch, folder, time()));
    if (trial === undefined) return { launch, refused };
    unsure ||= trial.passing;
    refused[launch.level] ??= trial.reason;
  }
  return { ...withoutCage, refused, unsure };
}

type Failed = {
  reason: string;
  /** Whether the trial failed, as where memory or descriptors ran out, and says nothing of the level. */
  passing: boolean;
};

async function repeated(attempt: () => Promise<Failed | undefined>): Promise<Failed | undefined> {
  let trial = await attempt();
  for (let tries = 1; trial?.passing && tries < TRIALS; tries += 1) trial = await attempt();
  return trial;
}

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const refusal = (reason: string): Failed => ({ reason, passing: false });

/** Starts a decoder so, has it decode a picture, and looks at what it can reach. @returns why it is no cage */
async function tryLaunch(launch: Launch, folder: string, signal: AbortSignal): Promise<Failed | undefined> {
  const file = join(folder, hiddenName());
  try {
    await writeTrial(folder, file);
    const worker = await startWorker({
      limits: decodeLimits(1),
      budget: createMemoryBudget(0),
      nice: 0,
      room: () => Number.POSITIVE_INFINITY,
      launch,
      folder,
      signal,
    });
    try {
      const outcome = await worker.run(file, {});
      if (!outcome.ok) {
        const { detail } = outcome.failure;
        return { reason: `it cannot decode: ${detail}`, passing: [CRASHED, TOO_LONG].includes(detail) };
      }
      const found = await worker.check({ file, pid: process.pid });
      return found.length > 0 ? refusal(found.join(', ')) : undefined;
    } finally {
      await worker.kill();
    }
  } catch (error) {
    return { reason: signal.aborted ? 'the trial took too long' : messageOf(error), passing: !isRefusal(error) };
  } finally {
    await rm(file, { force: true }).catch(() => {});
  }
}

async function writeTrial(folder: string, path: string): Promise<void> {
  const file = await openIn(folder, path);
  await file.writeFile(PNG).finally(() => file.close());
}

/** cage.pl's, where memory or processes ran out (EX_TEMPFAIL of sysexits.h). */
const TEMPORARY = 75;
/** Of a launcher whose decoder was killed. */
const KILLED = 128 + 9;

/** Whether it is the machine's answer to a level: the launcher refused, does not exist or may not be started. */
function isRefusal(error: unknown): boolean {
  const { cause } = error as Error;
  if (cause instanceof EndedEarly) {
    const { exitCode, signal } = cause;
    // A system call that the cage forbids ends a decoder so.
    return signal === 'SIGSYS' || (exitCode !== null && exitCode !== TEMPORARY && exitCode !== KILLED);
  }
  const { code = '', syscall = '' } = (cause ?? error) as NodeJS.ErrnoException;
  return syscall.startsWith('spawn') && ['ENOENT', 'EACCES', 'EPERM'].includes(code);
}

/** In one line: what was started says first why it ends. */
function messageOf(error: unknown): string {
  const { cause, message } = error as Error;
  const text = cause instanceof Error ? cause.message : message;
  if (/spawn perl ENOENT/.test(text)) return 'Perl is not installed';
  return text
    .trim()
    .replace(/\s*\n\s*/g, ' | ')
    .slice(0, 300);
}

/** Chosen when it is first asked for, once; again where a trial failed and no level was found. */
export function isolationIn(folder: string, candidates?: Launch[]): () => Promise<Isolation> {
  let chosen: Promise<Isolation> | undefined;
  return async () => {
    chosen ??= chooseIsolation(folder, candidates);
    const choice = chosen;
    const forget = () => {
      if (chosen === choice) chosen = undefined;
    };
    const isolation = await choice.catch((error) => {
      forget();
      throw error;
    });
    if (isolation.unsure) forget();
    return isolation;
  };
}

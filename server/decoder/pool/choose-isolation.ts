import { accessSync, constants as fsConstants } from 'node:fs';
import { rm } from 'node:fs/promises';
import { constants } from 'node:os';
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
  /** Why each stronger level was not chosen. */
  refused: Partial<Record<Level, string>>;
  /** Whether there is no cage because a trial failed. Isolation is then chosen again after one picture. */
  unsure?: boolean;
};

/** Used by nothing else: `nobody` may own Postgres' files (database/embedded/launcher.ts). */
const DECODER_USER = 65533;

/** In the container image: a copy of setpriv that may change the user, executable only for the server's group. */
const USER_LAUNCHER = '/usr/local/libexec/decoder-setpriv';

export const withoutCage: Isolation = { launch: { level: 'process' }, refused: {} };

/** No decoder decoded the trial picture, not even without a cage. */
export class CannotDecode extends Error {
  /** Whether the folder of the decoders' input failed, and nothing is known about the decoders. */
  readonly ofStorage: boolean;

  constructor({ reason, ofStorage = false }: Failed) {
    super(reason);
    this.ofStorage = ofStorage;
  }
}

export function launches(root: boolean = process.getuid?.() === 0, userLauncher: string = USER_LAUNCHER): Launch[] {
  const uid = `--uid=${DECODER_USER}`;
  const setpriv = ['--reuid', '--regid'].map((option) => `${option}=${DECODER_USER}`);
  const asUser: Launch[] = root
    ? [{ level: 'user', options: [uid] }]
    : isExecutable(userLauncher)
      ? [{ level: 'user', as: [userLauncher, ...setpriv, '--clear-groups', '--inh-caps=-all'], options: [] }]
      : [];
  return [
    // Root's files may be inaccessible to other users.
    ...(root ? [{ level: 'namespaces', options: ['--namespaces', uid] } as const] : []),
    { level: 'namespaces', options: ['--namespaces'] },
    ...asUser,
    { level: 'filter', options: ['--landlock=required'] },
  ];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, fsConstants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const TRIALS = 3;

const trialTime = () => AbortSignal.timeout(60_000);

/**
 * Finds the strongest level this machine allows, by trial.
 * @param folder must be inaccessible to decoders
 * @throws CannotDecode
 */
export async function chooseIsolation(
  folder: string,
  candidates: Launch[] = launches(),
  time: () => AbortSignal = trialTime,
): Promise<Isolation> {
  const refused: Isolation['refused'] = {};
  const linux = process.platform === 'linux';
  if (!linux) refused.namespaces = 'only Linux has them';
  let unsure = false;
  for (const launch of linux ? candidates : []) {
    const trial = await repeated(() => tryLaunch(launch, folder, time()));
    if (trial === undefined) return { launch, refused };
    unsure ||= trial.passing;
    refused[launch.level] ??= trial.reason;
  }
  const trial = await repeated(() => tryLaunch(withoutCage.launch, folder, time()));
  if (trial !== undefined) throw new CannotDecode(trial);
  return { ...withoutCage, refused, unsure };
}

type Failed = {
  reason: string;
  /** Whether the trial failed for another reason, such as lack of memory, and shows nothing about the level. */
  passing: boolean;
  ofStorage?: boolean;
};

async function repeated(attempt: () => Promise<Failed | undefined>): Promise<Failed | undefined> {
  let trial = await attempt();
  for (let tries = 1; trial?.passing && tries < TRIALS; tries += 1) trial = await attempt();
  return trial;
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const refusal = (reason: string): Failed => ({ reason, passing: false });

/** Starts a decoder, decodes a picture and checks what it can reach. @returns why the level is not usable */
async function tryLaunch(launch: Launch, folder: string, signal: AbortSignal): Promise<Failed | undefined> {
  try {
    return await withTrialPicture(folder, (file) => tryPicture(file, launch, folder, signal));
  } catch (error) {
    const reason = signal.aborted ? 'the trial took too long' : messageOf(error);
    return { reason, passing: !isRefusal(error), ofStorage: isOfStorage(error, folder) };
  }
}

async function tryPicture(
  file: string,
  launch: Launch,
  folder: string,
  signal: AbortSignal,
): Promise<Failed | undefined> {
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
    if (launch.level === 'process') return undefined;
    const found = await worker.check({ file, pid: process.pid });
    return found.length > 0 ? refusal(found.join(', ')) : undefined;
  } finally {
    await worker.kill();
  }
}

/** Passes the path of a sound picture, which exists until the work ends. */
export async function withTrialPicture<T>(folder: string, work: (path: string) => Promise<T>): Promise<T> {
  const path = join(folder, hiddenName());
  try {
    const file = await openIn(folder, path);
    await file.writeFile(PNG).finally(() => file.close());
    return await work(path);
  } finally {
    await rm(path, { force: true }).catch(() => {});
  }
}

/** Exit code of cage.pl without memory or processes (EX_TEMPFAIL of sysexits.h). */
const TEMPORARY = 75;
/** Exit code of a launcher whose decoder was killed. */
const KILLED = 128 + 9;

/** Whether the machine does not allow the level: the launcher refused, is missing or may not be started. */
function isRefusal(error: unknown): boolean {
  const { cause } = error as Error;
  if (cause instanceof EndedEarly) {
    const { exitCode, signal } = cause;
    // A forbidden system call ends a decoder this way.
    return signal === 'SIGSYS' || (exitCode !== null && exitCode !== TEMPORARY && exitCode !== KILLED);
  }
  const { code = '', syscall = '' } = (cause ?? error) as NodeJS.ErrnoException;
  return syscall.startsWith('spawn') && ['ENOENT', 'EACCES', 'EPERM'].includes(code);
}

/** By number: Node has no name for EDQUOT. */
const noSpace = new Set([-constants.errno.ENOSPC, -constants.errno.EDQUOT]);

/** A full disk, or a folder that is away. Missing programs and files of the decoder are not. */
function isOfStorage(error: unknown, folder: string): boolean {
  const cause = (error as Error).cause ?? error;
  const { errno = 0, path = '' } = cause as NodeJS.ErrnoException;
  return noSpace.has(errno) || path.startsWith(folder);
}

/** The reason in one line, preferably from the started program. */
function messageOf(error: unknown): string {
  const { cause, message } = error as Error;
  const text = cause instanceof Error ? cause.message : message;
  if (/spawn perl ENOENT/.test(text)) return 'Perl is not installed';
  return text
    .trim()
    .replace(/\s*\n\s*/g, ' | ')
    .slice(0, 300);
}

/** Returns a function that chooses the isolation once; it chooses again after a failed trial. */
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

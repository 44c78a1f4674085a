/** Registers one test per fault and records the result in the report. */
import tap, { type Test } from 'tap';
import { onEmbedded } from './home.ts';
import { measured } from './measured.ts';
import { tellWhetherHeld } from './tell.ts';

type Options = {
  /** Limits the fault to one kind of database. */
  on?: 'embedded' | 'real';
  /** Why this machine cannot inject the fault, in one line. */
  skip?: string | false;
  /** Why the server does not survive it yet. */
  todo?: string;
};

// Generous, since processes are started and killed on a machine that may be busy.
const patience = 580_000;

/** @param fault `F1` to `F22` */
export function fault(
  fault: string,
  name: string,
  work: (t: Test) => Promise<void>,
  { on, ...options }: Options = {},
): void {
  if (on && on !== (onEmbedded ? 'embedded' : 'real')) return;
  tellWhetherHeld('G10', fault);
  tap.setTimeout(4 * patience);
  tap.test(name, { ...options, timeout: patience }, work);
}

/** Factor by which a busy machine may exceed the stated time before a test fails; the report shows the time itself. */
const noise = 2;

export function stopwatch(): () => number {
  const start = performance.now();
  return () => (performance.now() - start) / 1000;
}

/** Compares a time with its stated limit. @param usual seconds without a fault in this run, to detect a slow machine */
export function within(t: Test, fault: string, what: string, seconds: number, stated: number, usual = 0): void {
  const beside = usual > 0 ? `, without a fault ${usual.toFixed(1)} s` : '';
  t.ok(seconds <= Math.max(stated * noise, usual * 3), `${what}: ${seconds.toFixed(1)} s, stated ${stated} s${beside}`);
  measured('G10', {
    part: fault,
    seen: `${what} ${seconds.toFixed(1)} s`,
    held: seconds <= stated,
    ...(usual * 2 > stated ? { unsure: `without a fault it takes ${usual.toFixed(1)} s` } : {}),
  });
}

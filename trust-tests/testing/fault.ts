/** One fault for each test: made, survived, and put down in the report. */
import tap, { type Test } from 'tap';
import { onEmbedded } from './home.ts';
import { measured } from './measured.ts';
import { tellWhetherHeld } from './tell.ts';

type Options = {
  /** Where it is of one kind of database alone. */
  on?: 'embedded' | 'real';
  /** Why it cannot be made here, in one line. */
  skip?: string | false;
  /** Why it is not survived yet. */
  todo?: string;
};

// Processes are started and killed: a busy machine may take its time, and nothing here is judged by this.
const patience = 580_000;

/** @param fault `F1` to `F20` */
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

/** How much longer than stated a busy machine may take before a test fails; the report tells the number itself. */
const noise = 2;

/** @returns seconds since the making of this stopwatch */
export function stopwatch(): () => number {
  const start = performance.now();
  return () => (performance.now() - start) / 1000;
}

/**
 * Holds a time against the number stated for it.
 * @param usual what as much takes with no fault, in the same run: where that is slow, the machine is
 */
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

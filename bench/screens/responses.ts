/** Measures how long the page takes to answer input: Event Timing of real input, and the longest task meanwhile. */
import type { Page } from 'playwright-core';
import type { Figure } from '../figure.ts';

/** Milliseconds. Event Timing does not report shorter ones; they count as this. */
const SHORTEST = 16;
/** Interaction to Next Paint ignores one of fifty interactions. */
const LEFT_OUT = 50;
export const GOAL_MS = 200;

/** Records from the page's start. `count`: all interactions so far, unreported ones included. */
const observer = `{
  const noted = (window.__noted = { responses: new Map(), tasks: [] });
  const watch = (type, options, take) => {
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options });
  };
  watch('event', { durationThreshold: ${SHORTEST} }, ({ interactionId, duration }) => {
    if (interactionId > 0) noted.responses.set(interactionId, Math.max(duration, noted.responses.get(interactionId) ?? 0));
  });
  watch('longtask', {}, ({ duration }) => noted.tasks.push(duration));
  noted.take = async () => {
    // Entries of a frame are reported after it.
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const taken = { responses: [...noted.responses.values()], tasks: noted.tasks, count: performance.interactionCount };
    noted.responses = new Map();
    noted.tasks = [];
    return taken;
  };
}`;

type Taken = { responses: number[]; tasks: number[]; count: number };

/** Milliseconds of one step in one round; `response` is undefined if the step is no interaction. */
export type Step = { name: string; response: number | undefined; task: number };

/** One round: its steps and their Interaction to Next Paint. */
export type Round = { steps: Step[]; worst: number };

/** Must be called before the page is opened. */
export const noteResponses = (page: Page): Promise<unknown> => page.addInitScript(observer);

function inpOf(responses: readonly number[]): number {
  const sorted = responses.toSorted((one, other) => other - one);
  return sorted[Math.floor(responses.length / LEFT_OUT)] ?? Number.NaN;
}

/** Drives a page step by step. @param say prints each step */
export function createDriver(page: Page, say: (text: string) => void) {
  const steps: Step[] = [];
  const responses: number[] = [];
  let before = 0;
  const session = page.context().newCDPSession(page);
  let past = 0;
  /** @returns milliseconds of processor time of the page's thread since the last call */
  const spent = async (): Promise<number> => {
    const opened = await session;
    await opened.send('Performance.enable', { timeDomain: 'threadTicks' });
    const { metrics } = await opened.send('Performance.getMetrics');
    const now = 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
    const since = now - past;
    past = now;
    return since;
  };
  const take = async (): Promise<Taken & { fresh: number }> => {
    const taken = await page.evaluate<Taken>('window.__noted.take()');
    const fresh = taken.count - before;
    before = taken.count;
    return { ...taken, fresh };
  };
  const perform = async (name: string, act: () => Promise<unknown>, isInput: boolean): Promise<void> => {
    await take();
    await spent();
    await act();
    const { responses: told, tasks, fresh } = await take();
    // A step without an interaction would look instant.
    if (isInput && fresh <= 0) throw new Error(`"${name}" was no interaction`);
    const every = [...told, ...new Array<number>(Math.max(0, fresh - told.length)).fill(SHORTEST)];
    if (isInput) responses.push(...every);
    const step = { name, response: isInput ? Math.max(...every) : undefined, task: Math.max(0, ...tasks) };
    steps.push(step);
    const [task, thread] = [Math.round(step.task), Math.round(await spent())];
    say(`  ${name}: ${step.response ?? '-'} ms, longest task ${task} ms, of the processor in all ${thread} ms`);
  };
  return {
    /** Measures interactions of one kind until their effect is shown. */
    press: (name: string, act: () => Promise<unknown>) => perform(name, act, true),
    /** Measures actions that are no interactions: dropped files, the wheel. */
    move: (name: string, act: () => Promise<unknown>) => perform(name, act, false),
    end: (): Round => ({ steps, worst: inpOf(responses) }),
  };
}

export type Driver = ReturnType<typeof createDriver>;

/** Scrolls to an element and shows it for two frames, as for a user who clicks what is visible. */
async function bringIntoSight(page: Page, selector: string) {
  const element = page.locator(selector).first();
  await element.scrollIntoViewIfNeeded();
  await page.evaluate('new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))');
  const box = await element.boundingBox();
  if (box === null) throw new Error(`${selector} is not shown`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Milliseconds between press and release. */
const HELD_MS = 50;

/** Clicks the middle of an element. */
export async function click(page: Page, selector: string, modifier?: 'Shift' | 'Control'): Promise<void> {
  const { x, y } = await bringIntoSight(page, selector);
  await page.mouse.move(x, y);
  if (modifier) await page.keyboard.down(modifier);
  await page.mouse.click(x, y, { delay: HELD_MS });
  if (modifier) await page.keyboard.up(modifier);
}

export async function tap(page: Page, selector: string): Promise<void> {
  const { x, y } = await bringIntoSight(page, selector);
  await page.touchscreen.tap(x, y);
}

/** @returns per step its response, or its longest task; over all, the Interaction to Next Paint */
export function responseFigures(place: string, rounds: readonly Round[]): Figure[] {
  const names = rounds[0]?.steps.map(({ name }) => name) ?? [];
  const goal = { atMost: GOAL_MS };
  const inp = rounds.map(({ worst }) => ({ ours: worst }));
  const tasks = rounds.map(({ steps }) => ({ ours: Math.max(...steps.map(({ task }) => task)) }));
  return [
    { name: `${place}: interaction to next paint`, unit: 'ms', goal, rounds: inp },
    { name: `${place}: longest task of all`, unit: 'ms', rounds: tasks },
    ...names.map((name, at): Figure => {
      const isInput = rounds[0]?.steps[at]?.response !== undefined;
      const values = rounds.map(({ steps }) => ({
        ours: (isInput ? steps[at]?.response : steps[at]?.task) ?? Number.NaN,
      }));
      const measured = isInput ? name : `${name} (longest task)`;
      return { name: `${place}: ${measured}`, unit: 'ms', goal, rounds: values };
    }),
  ];
}

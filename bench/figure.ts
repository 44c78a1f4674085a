/** A figure is measured several times in one run, each time next to its limit. */

/** `of`: what must meet the goal; by default the ratio to the limit, or ours if there is no limit. */
export type Goal = ({ atLeast: number } | { atMost: number }) & { of?: 'ratio' | 'ours' };

/** One round: ours, and the limit of the same round, both in the figure's unit. */
export type Round = { ours: number; limit?: number };

export type Figure = {
  name: string;
  unit: string;
  /** The name of the limit: `bare sharp loop`. */
  against?: string;
  /** Without a goal, the figure is for information only. */
  goal?: Goal;
  rounds: Round[];
};

/** Median, lowest and highest over the rounds. */
export type Spread = { median: number; lowest: number; highest: number };

export type Judged = Figure & {
  ours: Spread;
  limit?: Spread;
  /** Ours to the limit, pair by pair. */
  ratio?: Spread;
  held?: boolean;
};

export function spreadOf(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  const median = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
  return { median, lowest: sorted[0] ?? Number.NaN, highest: sorted.at(-1) ?? Number.NaN };
}

/** Compares the median with the goal; a figure that could not be measured is not held. */
export function judge(figure: Figure): Judged {
  const pairs = figure.rounds.flatMap(({ ours, limit }) => (limit === undefined ? [] : [{ ours, limit }]));
  const ours = spreadOf(figure.rounds.map((round) => round.ours));
  if (pairs.length === 0) return { ...figure, ours, ...heldBy(figure.goal, ours) };
  const limit = spreadOf(pairs.map((pair) => pair.limit));
  const ratio = spreadOf(pairs.map((pair) => pair.ours / pair.limit));
  return { ...figure, ours, limit, ratio, ...heldBy(figure.goal, figure.goal?.of === 'ours' ? ours : ratio) };
}

function heldBy(goal: Goal | undefined, { median }: Spread): { held?: boolean } {
  if (goal === undefined) return {};
  return { held: 'atLeast' in goal ? median >= goal.atLeast : median <= goal.atMost };
}

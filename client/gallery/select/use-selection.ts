import { useMemo, useState } from 'react';
import type { Image } from '../../../server/contract.ts';
import { extended, nothing, type Selection, swept, toggled, withAll, without, withProblems } from './selection.ts';

export interface Selecting {
  readonly enter: () => void;
  /** Forgets the selection and ends the mode. */
  readonly leave: () => void;
  readonly toggle: (image: Image) => void;
  readonly extend: (image: Image, page: readonly Image[]) => void;
  readonly all: (page: readonly Image[]) => void;
  /** Starts a frame. @returns a function to call with the ids that the frame touches */
  readonly sweep: (page: readonly Image[]) => (ids: ReadonlySet<string>) => void;
  readonly drop: (ids: Iterable<string>) => void;
  /** Sets the reasons, by id. */
  readonly fail: (problems: ReadonlyMap<string, string>) => void;
}

/** The selection of one gallery, and its actions, which stay the same object. */
export function useSelection(): readonly [Selection, Selecting] {
  const [selection, set] = useState(nothing);
  const selecting = useMemo<Selecting>(
    () => ({
      enter: () => set((now) => ({ ...now, on: true })),
      leave: () => set(nothing),
      toggle: (image) => set((now) => toggled(now, image)),
      extend: (image, page) => set((now) => extended(now, image, page)),
      all: (page) => set((now) => withAll(now, page)),
      sweep: (page) => {
        let before: Selection | undefined;
        return (ids) =>
          set((now) => {
            before ??= now;
            return swept(before, ids, page);
          });
      },
      drop: (ids) => set((now) => without(now, ids)),
      fail: (problems) => set((now) => withProblems(now, problems)),
    }),
    [],
  );
  return [selection, selecting];
}

/** Told how far a long work is. Amounts are bytes. */
export type Progress = {
  begin(label: string, total: number): void;
  advance(amount: number): void;
  end(): void;
};

export const silent: Progress = { begin: () => {}, advance: () => {}, end: () => {} };

/** Receives the progress of a long operation. Amounts are bytes. */
export type Progress = {
  begin(label: string, total: number): void;
  advance(amount: number): void;
  end(): void;
};

export const silent: Progress = { begin: () => {}, advance: () => {}, end: () => {} };

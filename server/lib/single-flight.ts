/** Work that several ask for at the same time and that is done once: whoever comes while it runs shares its outcome. */
export type Flights<T> = {
  share(key: string, work: () => Promise<T>): Promise<T>;
  /** Resolves once nothing runs. */
  settled(): Promise<void>;
};

export function createFlights<T>(): Flights<T> {
  const running = new Map<string, Promise<T>>();
  return {
    share(key, work) {
      const present = running.get(key);
      if (present) return present;
      const flight = work().finally(() => running.delete(key));
      running.set(key, flight);
      return flight;
    },
    async settled() {
      while (running.size > 0) await Promise.allSettled(running.values());
    },
  };
}

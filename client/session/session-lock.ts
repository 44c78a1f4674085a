type Locks = Pick<LockManager, 'request'>;

/**
 * Runs one change of the session at a time, across all tabs. Without locks, as on plain HTTP or with blocked storage, it runs at
 * once.
 */
export async function alone<Result>(
  work: () => Result | Promise<Result>,
  locks: Locks | null = navigator.locks ?? null,
): Promise<Result> {
  if (locks === null) return work();
  let begun = false;
  const begin = () => {
    begun = true;
    return work();
  };
  try {
    return await locks.request('session', begin);
  } catch (error) {
    if (begun) throw error;
    return work();
  }
}

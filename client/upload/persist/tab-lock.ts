/**
 * Waits until no other tab keeps the list of this account or collect link, and then keeps the turn until this page closes. Without locks, as on plain HTTP or
 * with blocked storage, every tab keeps the list.
 */
export function takeTurn(locks: Pick<LockManager, 'request'> | undefined, owner: string): Promise<void> {
  if (locks === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    const hold = (): Promise<never> => {
      resolve();
      return new Promise(() => undefined);
    };
    locks.request(`upload-queue ${owner}`, hold).catch(() => resolve());
  });
}

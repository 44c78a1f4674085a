import { session } from '../session/session.ts';
import { setOwner } from './shares.ts';

/**
 * Stores the current account's id for the service worker, as the owner of shared pictures. An expired session keeps the owner,
 * who may log in again; a logout removes it.
 */
export function followShareOwner(): void {
  const write = (id: string | undefined) => void setOwner(id).catch(() => undefined);
  const writeUser = () => {
    const id = session.user()?.id;
    if (id !== undefined) write(id);
  };
  session.subscribe(writeUser);
  session.onEnd((how) => {
    if (how === 'ended') write(undefined);
  });
  writeUser();
}

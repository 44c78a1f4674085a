import { session } from '../session/session.ts';
import { setOwner } from './shares.ts';

/**
 * Writes down for the service worker whose the pictures are that another app shares. A session that has expired keeps its
 * owner, who may log in again and find them; a logout does not.
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

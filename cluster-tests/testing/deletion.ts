import { call } from '../../trust-tests/testing/call.ts';
import type { Kept } from '../../trust-tests/testing/ledger.ts';
import { anyOf } from './any-of.ts';
import { isAway } from './away.ts';
import { type Calls, describe } from './calls.ts';
import type { ClientParts } from './client-parts.ts';
import { deathOf } from './death.ts';
import type { Fault } from './figures.ts';
import { checkLink, thumbnailOf } from './reading.ts';

/** Faults during which a server may have done a call without answering it. */
const breakingOff: readonly Fault[] = ['kills', 'database restarted'];

/** Requests each link twice from every process, so that it is in the link cache and the response cache. */
async function warm(parts: ClientParts, picture: Kept, paths: string[]): Promise<void> {
  for (const slot of parts.slots.filter(({ isUp }) => isUp())) {
    for (const path of [...paths, ...paths]) {
      const answer = await call(slot.origin, path).catch(() => undefined);
      if (answer && !isAway(answer.status)) checkLink(parts, picture, path, answer);
    }
  }
}

/** Deletes a random image, and watches how long its links live. */
export async function remove(parts: ClientParts, { persistently }: Calls): Promise<void> {
  const { origin, account, ledger, fault } = parts;
  const picture = anyOf(ledger.kept.values());
  if (!picture) return;
  const paths = [picture.path, thumbnailOf(picture)];
  await warm(parts, picture, paths);
  if (!ledger.kept.has(picture.id)) return;
  const began = fault();
  const { answer, attempts } = await persistently('deletion', () =>
    ledger.deletion(picture, (id) =>
      call(origin, `/api/images/delete/${id}`, { method: 'DELETE', headers: account.bearer }),
    ),
  );
  const answered = performance.now();
  if (answer.status === 404) {
    // A deletion sent twice, by this client or the proxy, answers 404 the second time.
    const isTwice = attempts > 1 || [began, fault()].some((time) => breakingOff.includes(time));
    if (!isTwice) parts.onWrong(`the deletion of ${picture.id} was sent once, and answered with 404`);
    ledger.unconfirmed.delete(picture.id);
    ledger.gone.set(picture.id, picture);
  } else if (answer.status !== 204) return parts.onWrong(`a deletion was answered with ${describe(answer)}`);
  for (const slot of parts.slots.filter(({ isUp }) => isUp()))
    for (const path of paths)
      parts.beside(deathOf(slot, path, answered).then((after) => parts.onDeath(`${slot.origin}${path}`, after)));
}

import type { ImagePage } from '../../server/contract.ts';
import { type Answer, call } from '../../trust-tests/testing/call.ts';
import { type Kept, sha256 } from '../../trust-tests/testing/ledger.ts';
import { anyOf } from './any-of.ts';
import { type Calls, describe } from './calls.ts';
import type { ClientParts } from './client-parts.ts';

export const thumbnailOf = ({ path }: Kept) => `${path.replace(/\.\w+$/, '')}/thumbnail.webp`;

/** Compares the answer to an image's link with what the ledger knows. */
export function checkLink({ ledger, onLost, onWrong }: ClientParts, picture: Kept, path: string, answer: Answer): void {
  if (answer.status === 404 && !ledger.kept.has(picture.id)) return;
  if (answer.status === 404) onLost(`${path} was not there`);
  else if (answer.status !== 200) onWrong(`a link was answered with ${describe(answer)}`);
  else if (path === picture.path && sha256(answer.bytes) !== ledger.sent.get(picture.filename))
    onLost(`${path} was not what had been uploaded`);
}

/** Lists, searches and views. What was answered before must be found. */
export function createReading(parts: ClientParts, { attempt }: Calls) {
  const { origin, account, ledger } = parts;

  /** @returns a list, or undefined if the call failed; it is not repeated */
  async function fetchList(query: string): Promise<ImagePage | undefined> {
    const answer = await attempt('list', () => call(origin, `/api/images/?${query}`, { headers: account.bearer }));
    if (answer?.status === 200) return JSON.parse(answer.body) as ImagePage;
    if (answer) parts.onWrong(`a list was answered with ${describe(answer)}`);
    return undefined;
  }

  async function list(): Promise<void> {
    const kept = [...ledger.kept.keys()];
    const gone = [...ledger.gone.keys()];
    const page = await fetchList('page=1');
    if (!page) return;
    const ids = new Set(page.images.map(({ id }) => id));
    for (const id of kept) if (ledger.kept.has(id) && !ids.has(id)) parts.onLost(`${id} was not listed`);
    for (const id of gone) if (ids.has(id)) parts.onWrong(`${id} was deleted, and listed`);
  }

  async function search(): Promise<void> {
    const picture = anyOf(ledger.kept.values());
    if (!picture) return;
    const page = await fetchList(`search=${picture.filename.slice(0, 13)}`);
    if (!page || !ledger.kept.has(picture.id)) return;
    if (!page.images.some(({ id }) => id === picture.id)) parts.onLost(`${picture.filename} was not found`);
  }

  async function view(): Promise<void> {
    const picture = anyOf(ledger.kept.values());
    if (!picture) return;
    for (const path of [thumbnailOf(picture), picture.path]) {
      const answer = await attempt('view', () => call(origin, path));
      if (answer) checkLink(parts, picture, path, answer);
    }
  }

  return { list, search, view };
}

/** Many clients that upload, delete and list at once until they are stopped or the server is gone. */
import { randomInt, randomUUID } from 'node:crypto';
import sharp from 'sharp';
import type { SentFile } from '../../../server/testing/form.ts';
import { type Account, send } from '../account.ts';
import { call } from '../call.ts';
import type { Ledger } from '../ledger.ts';

/** Makes a small photograph with unique bytes and a unique name. */
export async function onePicture(width = 96, height = 64): Promise<SentFile> {
  const background = { r: randomInt(256), g: randomInt(256), b: randomInt(256) };
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 };
  const bytes = await sharp({ create: { width, height, channels: 3, background, noise } })
    .jpeg()
    .toBuffer();
  return { name: `${randomUUID()}.jpg`, bytes };
}

export const pictures = (count: number): Promise<SentFile[]> =>
  Promise.all(Array.from({ length: count }, () => onePicture()));

export async function uploadInto(ledger: Ledger, origin: string, account: Account, files?: SentFile[]) {
  return ledger.upload(files ?? [await onePicture()], (list) => send(origin, account, list));
}

export const deleteFrom = (ledger: Ledger, origin: string, { bearer }: Account, picture: { id: string }) => {
  const known = ledger.kept.get(picture.id);
  if (!known) throw new Error('this picture is not kept');
  return ledger.deletion(known, (id) =>
    call(origin, `/api/images/delete/${id}`, { method: 'DELETE', headers: bearer }),
  );
};

/** Picks new pictures, or earlier ones that share their bytes; every name is unique. */
async function someFiles(again: SentFile[]): Promise<SentFile[]> {
  const count = 1 + randomInt(3);
  if (randomInt(2) === 0) return pictures(count);
  return Array.from({ length: count }, () => {
    const bytes = again[randomInt(again.length)]?.bytes ?? '';
    return { name: `${randomUUID()}.jpg`, bytes };
  });
}

async function oneStep(ledger: Ledger, origin: string, account: Account, again: SentFile[]): Promise<void> {
  const dice = randomInt(10);
  if (dice < 6) {
    await uploadInto(ledger, origin, account, await someFiles(again));
  } else if (dice < 9 && ledger.kept.size > 4) {
    const all = [...ledger.kept.values()];
    const chosen = all[randomInt(all.length)];
    if (chosen) await deleteFrom(ledger, origin, account, chosen);
  } else {
    await call(origin, '/api/images/?page=1', { headers: account.bearer });
  }
}

export type Storm = {
  /** Waits until every client has finished its current step. */
  stop(): Promise<void>;
};

/**
 * @param options.persistent whether clients continue after a lost connection
 * @param options.again pictures that are sent repeatedly
 */
export function storm(
  ledger: Ledger,
  origin: string,
  account: Account,
  { clients = 8, persistent = false, again = pictures(2) } = {},
): Storm {
  let stopped = false;
  async function client(): Promise<void> {
    while (!stopped) {
      try {
        await oneStep(ledger, origin, account, await again);
      } catch (error) {
        ledger.broken.push((error as Error).message);
        if (!persistent) return;
      }
    }
  }
  const all = Promise.all(Array.from({ length: clients }, client));
  return {
    stop: async () => {
      stopped = true;
      await all;
    },
  };
}

import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Test } from 'tap';
import { sha256Of } from '../../lib/sha256.ts';
import type { ObjectStore } from '../object-store.ts';
import type { Owner } from '../ownership/owner.ts';
import { sealWith } from '../sealed/objects.ts';
import type { Seals } from '../seals.ts';
import { testKeyring } from './keyring.ts';
import { type Checks, newKey, runChecks } from './sample.ts';

const [one, other] = [randomBytes(32), randomBytes(32)];
const bytes = randomBytes(200_000);
const put = async (write: () => Promise<void>) => {
  await write();
  return true;
};
type Keys = ReturnType<typeof testKeyring>;
type Around = (bare: ObjectStore) => ObjectStore;
type Wrap = (keyring: Keys, around?: Around) => ObjectStore;

type Bare = { objects: ObjectStore; bare: ObjectStore };

type OpenSample = (t: Test, wrap: NonNullable<Owner['wrap']>) => Promise<Bare>;

type Opened = {
  objects: ObjectStore;
  bare: ObjectStore;
  sealing: Seals;
  /** @param around replaces the bare objects */
  with(keyring: Keys, around?: Around): Seals;
};

async function open(t: Test, openSample: OpenSample): Promise<Opened> {
  const wraps: Wrap[] = [];
  const sample = await openSample(t, (bare, staging) => {
    wraps.push((other, around = (objects) => objects) => sealWith(other)(around(bare), staging));
    return sealWith(testKeyring(one))(bare, staging);
  });
  return { ...sample, ...sealingsOf(sample.objects, wraps) };
}

function sealingsOf(objects: ObjectStore, wraps: Wrap[]) {
  const { sealing } = objects;
  if (!sealing) throw new Error('not sealed');
  return {
    sealing,
    with(keyring: Keys, around?: Around) {
      const reopened = wraps[0]?.(keyring, around).sealing;
      if (!reopened) throw new Error('not sealed');
      return reopened;
    },
  };
}

async function whole(objects: ObjectStore, key: string): Promise<Buffer | undefined> {
  const stream = await objects.read(key);
  return stream && buffer(stream);
}

export function runSealingChecks(name: string, openSample: OpenSample, skip: string | false = false): void {
  runChecks(name, sealingChecks, (t) => open(t, openSample), skip);
}

const sealingChecks: Checks<Opened> = {
  'a plain object is sealed in place and reads as before': async (t, { objects, bare, sealing }) => {
    const key = newKey();
    await bare.write(key, bytes);
    t.ok((await whole(objects, key))?.equals(bytes));
    t.equal(await sealing.seal(key, sha256Of(bytes), put), 'done');
    t.notOk((await whole(bare, key))?.includes(bytes.subarray(1000, 1016)));
    t.ok((await whole(objects, key))?.equals(bytes));
    t.match(await objects.stat(key), { size: bytes.length });
    t.equal(await sealing.seal(key, sha256Of(bytes), put), 'before');
    t.equal(await sealing.seal(newKey(), null, put), 'missing');
  },

  'an object that does not match its row stays unchanged': async (t, { bare, sealing }) => {
    const key = newKey();
    await bare.write(key, bytes);
    await t.rejects(sealing.seal(key, sha256Of(Buffer.from('else')), put), { code: 'EBADMSG' });
    t.ok((await whole(bare, key))?.equals(bytes));
  },

  'an object deleted while it is sealed does not reappear': async (t, { bare, sealing }) => {
    const key = newKey();
    await bare.write(key, bytes);
    const late = async (write: () => Promise<void>) => {
      await bare.remove(key);
      await write();
      return false;
    };
    t.equal(await sealing.seal(key, null, late), 'missing');
    t.equal(await bare.stat(key), undefined);
  },

  'an object rewritten while it is sealed is not lost': async (t, opened) => {
    const { objects, bare } = opened;
    const key = newKey();
    await bare.write(key, bytes);
    const fresh = randomBytes(1000);
    let first = true;
    const sealing = opened.with(testKeyring(one), (objects) => ({
      ...objects,
      async stat(asked) {
        if (first) await bare.write(key, fresh);
        first = false;
        return objects.stat(asked);
      },
    }));
    t.equal(await sealing.seal(key, null, put), 'done');
    t.ok((await whole(objects, key))?.equals(fresh));
  },

  'a corrupt read is not written back': async (t, opened) => {
    const { objects, bare } = opened;
    const key = newKey();
    await objects.write(key, bytes);
    const before = await whole(bare, key);
    let reads = 0;
    /** Flips a bit once, as faulty memory or a provider may. */
    const flipping: Around = ({ patch: _, ...there }) => ({
      ...there,
      async open(asked) {
        const file = await there.open(asked);
        return (
          file && {
            ...file,
            async read(into, at) {
              const got = await file.read(into, at);
              if (at >= 176 && into.length > 1000 && reads === 0) {
                reads += 1;
                into[500] = (into[500] ?? 0) ^ 1;
              }
              return got;
            },
          }
        );
      },
    });
    const rotating = opened.with(testKeyring(other, one), flipping);
    await t.rejects(rotating.rewrap(key, sha256Of(bytes), put), { code: 'EBADMSG', reason: 'its seal is broken' });
    t.ok(before && (await whole(bare, key))?.equals(before));
    await t.rejects(rotating.rewrap(key, sha256Of(Buffer.from('else')), put), {
      code: 'EBADMSG',
      reason: /^its SHA-256 is /,
    });
    t.ok(before && (await whole(bare, key))?.equals(before));
    t.equal(await rotating.rewrap(key, sha256Of(bytes), put), 'done');
  },

  'after a rewrap only the new key opens the object, and its bytes stay': async (t, opened) => {
    const { objects, bare } = opened;
    const [key, plain] = [newKey(), newKey()];
    await objects.write(key, bytes);
    await bare.write(plain, bytes);
    const before = await whole(bare, key);
    const both = opened.with(testKeyring(other, one));
    t.equal(await both.rewrap(key, null, put), 'done');
    t.equal(await both.rewrap(key, null, put), 'before');
    t.equal(await both.rewrap(plain, null, put), 'plain');
    t.equal(await both.rewrap(newKey(), null, put), 'missing');
    t.ok((await whole(bare, key))?.subarray(176).equals(before?.subarray(176) ?? bytes));
    await t.rejects(whole(objects, key), { code: 'ENOKEY', syscall: 'read' });
    await t.rejects(opened.sealing.rewrap(key, null, put), { code: 'ENOKEY' });
    const now = opened.with(testKeyring(other));
    t.equal(await now.rewrap(key, null, put), 'before');
  },

  'rewrapping a broken object fails and changes nothing': async (t, opened) => {
    const key = newKey();
    await opened.objects.write(key, bytes);
    const broken = (await whole(opened.bare, key)) ?? bytes;
    broken[60] = (broken[60] ?? 0) ^ 1;
    await opened.bare.write(key, broken);
    await t.rejects(opened.with(testKeyring(other, one)).rewrap(key, null, put), { code: 'EBADMSG' });
    t.ok((await whole(opened.bare, key))?.equals(broken));
  },
};

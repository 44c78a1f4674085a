import type { MarkedPlace } from '../backend.ts';
import type { S3Calls } from './calls.ts';
import { makeS3Mark, markName, readS3Mark } from './marker.ts';
import { placeOf, type S3Settings } from './settings.ts';

export function markedBucket(calls: S3Calls, settings: S3Settings): MarkedPlace {
  const name = markName(settings);
  return {
    read: () => readS3Mark(calls, settings),
    make: (id) => makeS3Mark(calls, settings, id),
    hasOriginals: async () => (await calls.list(`${settings.prefix}originals/`, undefined)).found.length > 0,
    words: {
      setting: 'S3_BUCKET',
      place: placeOf(settings),
      question: 'Are S3_ENDPOINT, S3_BUCKET and S3_PREFIX the right ones, and is DATABASE_URL?',
      mark: 'object "installation"',
      remove: `remove the object ${name}`,
      put: (id) => `put the line ${id} into an object ${name}`,
      makeOriginals: `put a first object under ${settings.prefix}originals/`,
    },
  };
}

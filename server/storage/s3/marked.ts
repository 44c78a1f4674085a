import type { MarkedBackend } from '../backend.ts';
import type { S3Calls } from './calls.ts';
import { makeS3Marker, markerName, readS3Marker } from './marker.ts';
import { locationOf, type S3Settings } from './settings.ts';

export function markedBucket(calls: S3Calls, settings: S3Settings): MarkedBackend {
  const name = markerName(settings);
  return {
    read: () => readS3Marker(calls, settings),
    make: (id) => makeS3Marker(calls, settings, id),
    hasOriginals: async () => (await calls.list(`${settings.prefix}originals/`, undefined)).found.length > 0,
    words: {
      setting: 'S3_BUCKET',
      place: locationOf(settings),
      question: 'Are S3_ENDPOINT, S3_BUCKET and S3_PREFIX the right ones, and is DATABASE_URL?',
      mark: 'object "installation"',
      remove: `remove the object ${name}`,
      put: (id) => `put the line ${id} into an object ${name}`,
      makeOriginals: `put a first object under ${settings.prefix}originals/`,
    },
  };
}

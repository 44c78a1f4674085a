import type { OwnershipMarker } from '../backend.ts';
import type { S3Calls } from './calls.ts';
import { makeS3Marker, markerName, readS3Marker } from './marker.ts';
import { locationOf, type S3Settings } from './settings.ts';

export function bucketMarker(calls: S3Calls, settings: S3Settings): OwnershipMarker {
  const name = markerName(settings);
  return {
    read: () => readS3Marker(calls, settings),
    make: (id) => makeS3Marker(calls, settings, id),
    hasOriginals: async () => (await calls.list(`${settings.prefix}originals/`, undefined)).found.length > 0,
    texts: {
      setting: 'S3_BUCKET',
      location: locationOf(settings),
      question: 'Are S3_ENDPOINT, S3_BUCKET and S3_PREFIX the right ones, and is DATABASE_URL?',
      marker: 'object "installation"',
      remove: `remove the object ${name}`,
      put: (id) => `put the line ${id} into an object ${name}`,
      makeOriginals: `put a first object under ${settings.prefix}originals/`,
    },
  };
}

import { isIP } from 'node:net';
import type { Config } from '../../config/config.ts';

export type S3Settings = {
  /** Undefined for AWS's own. */
  endpoint: string | undefined;
  region: string;
  bucket: string;
  /** '' or ends with a slash. */
  prefix: string;
  accessKeyId: string;
  secretAccessKey: string;
  forcePathStyle: boolean;
};

/** Servers of one's own seldom have a host name for each bucket; AWS has. */
export const s3SettingsOf = (config: Config): S3Settings => ({
  endpoint: config.s3Endpoint,
  region: config.s3Region,
  bucket: config.s3Bucket ?? '',
  prefix: config.s3Prefix,
  accessKeyId: config.s3AccessKeyId ?? '',
  secretAccessKey: config.s3SecretAccessKey ?? '',
  forcePathStyle: (config.s3ForcePathStyle ?? (config.s3Endpoint ? 'on' : 'off')) === 'on',
});

/** Where presigned links lead, as browsers name it in a page's policy. */
export function bucketOrigin({ endpoint, region, bucket, forcePathStyle }: S3Settings): string {
  const host = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  const url = new URL(endpoint ?? `https://${host}`);
  // No certificate is good for a name with a dot in it, nor is an address a host that has a bucket's name before it.
  const inPath = forcePathStyle || (bucket.includes('.') && url.protocol === 'https:') || isIP(url.hostname) > 0;
  if (!inPath) url.hostname = `${bucket}.${url.hostname}`;
  return url.origin;
}

/** For messages. */
export const placeOf = ({ endpoint, bucket, prefix }: S3Settings): string =>
  `s3://${bucket}/${prefix}${endpoint ? ` at ${endpoint}` : ''}`;

import { isIP } from 'node:net';
import type { Config } from '../../config/config.ts';

export type S3Settings = {
  /** Undefined for AWS. */
  endpoint: string | undefined;
  region: string;
  bucket: string;
  /** '' or ends with a slash. */
  prefix: string;
  accessKeyId: string;
  secretAccessKey: string;
  forcePathStyle: boolean;
};

/** Self-hosted servers seldom have a host name per bucket; AWS has. */
export const s3SettingsOf = (config: Config): S3Settings => ({
  endpoint: config.s3Endpoint,
  region: config.s3Region,
  bucket: config.s3Bucket ?? '',
  prefix: config.s3Prefix,
  accessKeyId: config.s3AccessKeyId ?? '',
  secretAccessKey: config.s3SecretAccessKey ?? '',
  forcePathStyle: (config.s3ForcePathStyle ?? (config.s3Endpoint ? 'on' : 'off')) === 'on',
});

/** The origin of presigned links, for a page's Content-Security-Policy. */
export function bucketOrigin({ endpoint, region, bucket, forcePathStyle }: S3Settings): string {
  const host = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  const url = new URL(endpoint ?? `https://${host}`);
  // The path is used if a certificate cannot match (a bucket name with dots) or the host is an IP address.
  const inPath = forcePathStyle || (bucket.includes('.') && url.protocol === 'https:') || isIP(url.hostname) > 0;
  if (!inPath) url.hostname = `${bucket}.${url.hostname}`;
  return url.origin;
}

export const locationOf = ({ endpoint, bucket, prefix }: S3Settings): string =>
  `s3://${bucket}/${prefix}${endpoint ? ` at ${endpoint}` : ''}`;

import type { Config } from '../../config.ts';

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

/** For messages. */
export const placeOf = ({ endpoint, bucket, prefix }: S3Settings): string =>
  `s3://${bucket}/${prefix}${endpoint ? ` at ${endpoint}` : ''}`;

/** Checks settings that depend on each other. */
import { type Config, variables } from './config.ts';
import { ConfigError, type Environment, nameOf } from './reading.ts';

/** A mail needs a sender, and its links use PUBLIC_URL: a request's host may be forged. */
export function checkMail({ smtpUrl, mailFrom, publicUrl }: Config): void {
  const missing = { MAIL_FROM: mailFrom, PUBLIC_URL: publicUrl };
  for (const [name, value] of Object.entries(missing)) {
    if (smtpUrl && !value) throw new ConfigError(`${name} must be set too where SMTP_URL is, but was not`);
  }
}

/** The embedded database serves one process and has no pooler. */
export function checkDatabase({ databaseUrl, databaseDirectUrl, databasePassword, workers }: Config): void {
  if (workers > 1 && !databaseUrl) {
    throw new ConfigError(
      `WORKERS must be 1 with the embedded database, which serves one process, but was ${workers}: set DATABASE_URL too`,
    );
  }
  const needing = { DATABASE_DIRECT_URL: databaseDirectUrl, DATABASE_PASSWORD: databasePassword };
  for (const [name, value] of Object.entries(needing)) {
    if (value && !databaseUrl) throw new ConfigError(`DATABASE_URL must be set too where ${name} is, but was not`);
  }
}

/** Other images take their user from these. Here the engine sets it, so that the container never needs to be root. */
export function checkUser({ PUID, PGID }: Environment, uid = process.getuid?.(), gid = process.getgid?.()): void {
  if (uid === undefined || gid === undefined) return;
  if ((!PUID || PUID === String(uid)) && (!PGID || PGID === String(gid))) return;
  const wanted = `${PUID || uid}:${PGID || gid}`;
  throw new ConfigError(
    `PUID and PGID have no effect, and the server runs as ${uid}:${gid}: remove them. To run it as ${wanted}, start it as that ` +
      `user (for a container: --user ${wanted}, in Compose user: "${wanted}"), and give it DATA_DIR: chown -R ${wanted}`,
  );
}

function checkSet(needed: Record<string, string | undefined>, where: string): void {
  for (const [name, value] of Object.entries(needed)) {
    if (!value) throw new ConfigError(`${name} must be set too where ${where}, but was not`);
  }
}

/** What has no effect without a provider. */
const ofProvider = [
  ...(['oidcClientId', 'oidcClientSecret', 'oidcScopes', 'oidcTrustEmail', 'oidcButton'] as const),
  ...(['oidcRegistration', 'oidcRoleClaim', 'oidcQuotaClaim'] as const),
];

/** The provider sends people back to PUBLIC_URL alone: a request's host may be forged. */
export function checkProvider(config: Config): void {
  const { oidcIssuer, oidcClientId, oidcAuto, publicUrl, passwordLogin } = config;
  const needed = { OIDC_ISSUER: oidcIssuer, OIDC_CLIENT_ID: oidcClientId, PUBLIC_URL: publicUrl };
  if (oidcIssuer) checkSet(needed, 'OIDC_ISSUER is');
  for (const key of ofProvider) {
    if (config[key] !== variables[key].fallback) checkSet(needed, `${nameOf(key)} is`);
  }
  if (oidcAuto === 'on') checkSet(needed, 'OIDC_AUTO is on');
  if (passwordLogin === 'off') checkSet(needed, 'PASSWORD_LOGIN is off');
}

/** @param where the setting that needs a bucket, such as `STORAGE is s3` @throws ConfigError for the first missing variable */
export function checkBucketSettings(config: Config, where: string): void {
  const { s3Bucket, s3AccessKeyId, s3SecretAccessKey } = config;
  checkSet({ S3_BUCKET: s3Bucket, S3_ACCESS_KEY_ID: s3AccessKeyId, S3_SECRET_ACCESS_KEY: s3SecretAccessKey }, where);
}

/** Bytes: one PUT to an S3 server takes at most 5 GiB, including what sealing adds. */
const maxInBucket = 5118 * 2 ** 20;

/** Several servers sign with the same secret; one kept under a server's DATA_DIR would be unreadable to the others. */
export function checkStorage(config: Config): void {
  if (config.storage === 's3') {
    checkSet({ JWT_SECRET: config.jwtSecret }, 'STORAGE is s3');
    checkBucketSettings(config, 'STORAGE is s3');
    if (config.maxFileSize > maxInBucket) {
      throw new ConfigError(
        `MAX_FILE_SIZE must be 5118MiB at most where STORAGE is s3, but was ${config.maxFileSize} bytes: a bucket takes no larger object at once`,
      );
    }
  }
  if (config.storageFallback === 's3') checkBucketSettings(config, 'STORAGE_FALLBACK is s3');
  if (config.storageFallback === config.storage) {
    throw new ConfigError(`STORAGE_FALLBACK must be another backend than STORAGE, but both are ${config.storage}`);
  }
  if (config.linkMode === 'redirect' && config.storage !== 's3') {
    throw new ConfigError(
      'STORAGE must be s3 where LINK_MODE is redirect, but was disk: only a bucket can be redirected to',
    );
  }
}

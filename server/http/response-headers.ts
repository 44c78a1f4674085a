/** Security headers of every response. Registered before any plugin that may refuse a request. */
import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';
import { bucketOrigin, s3SettingsOf } from '../storage/s3/settings.ts';
import { requestIdHeader } from './request-id.ts';

const year = 31_536_000;

/** Embedded players get the features they need; the rest is off. Only names that every Chromium knows. */
const permissions = [
  ...['autoplay', 'encrypted-media', 'fullscreen', 'picture-in-picture'].map((name) => `${name}=*`),
  'clipboard-write=(self)',
  ...[
    'accelerometer',
    'browsing-topics',
    'camera',
    'display-capture',
    'geolocation',
    'gyroscope',
    'hid',
    'idle-detection',
    'local-fonts',
    'magnetometer',
    'microphone',
    'midi',
    'payment',
    'screen-wake-lock',
    'serial',
    'usb',
    'xr-spatial-tracking',
  ].map((name) => `${name}=()`),
  // Passkeys: the page itself, and nothing in it.
  ...['publickey-credentials-create', 'publickey-credentials-get'].map((name) => `${name}=(self)`),
].join(', ');

const isHttps = ({ publicUrl }: Pick<Config, 'publicUrl'>) => publicUrl?.startsWith('https:') ?? false;
const strictTransport = { 'strict-transport-security': `max-age=${year}` };

const common = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': permissions,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
};

/** Headers of refusals that pass no hook; they never contain a page. */
export const refusalHeaders = (config: Pick<Config, 'publicUrl'>): Record<string, string> => ({
  ...common,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  ...(isHttps(config) ? strictTransport : {}),
});

const isCall = (url: string) => /^\/(?:api|c)(?:[/?]|$)/.test(url);

/** Origins to which picture links may redirect. */
export const redirectOrigins = (config: Config): string[] =>
  config.linkMode === 'redirect' ? [bucketOrigin(s3SettingsOf(config))] : [];

/** Origins of pictures besides the page's own: PUBLIC_URL, the CDN and the bucket. */
const pictureOrigins = (config: Config): string[] => [
  ...[config.publicUrl, config.cdnUrl].filter((origin) => origin !== undefined),
  ...redirectOrigins(config),
];

/**
 * The page's Content-Security-Policy. http/page/client.ts adds the hash of its one inline script. Text becomes code or markup
 * only through the policies of client/lib/trusted-types.ts.
 */
function pagePolicy(links: string[]): string {
  const directives = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'script-src-attr': ["'none'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:', 'blob:', ...links],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...links],
    'worker-src': ["'self'"],
    'manifest-src': ["'self'"],
    // Any pasted video link may play.
    'frame-src': ['http:', 'https:'],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ['default', 'worker'],
  };
  return Object.entries(directives)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join(';');
}

/** Built once: building them for each response took 5 % of a request. */
const alwaysSent = (config: Config): Record<string, string> => ({
  ...common,
  'content-security-policy': pagePolicy(pictureOrigins(config)),
  'referrer-policy': 'strict-origin-when-cross-origin',
});

/** Without use for a picture, whose policy sandboxes it. */
const exceptPictures = {
  'origin-agent-cluster': '?1',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};

const isPicture = (url: string) => url.startsWith('/i/');

export const responseHeaders = fp<{ config: Config }>(
  async (app, { config }) => {
    const ofPictures = alwaysSent(config);
    const ofOthers = { ...ofPictures, ...exceptPictures };
    const https = isHttps(config);
    app.addHook('onRequest', (request, reply, done) => {
      reply.headers(isPicture(request.url) ? ofPictures : ofOthers).header(requestIdHeader, request.id);
      // Only over https: HSTS would lock out users of a plain http home network.
      if (https || request.protocol === 'https') reply.headers(strictTransport);
      // The default of the API and of collect links; routes may override it.
      if (isCall(request.url)) reply.header('cache-control', 'no-store');
      done();
    });
  },
  { name: 'response-headers' },
);

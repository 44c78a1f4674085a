/** Headers that every answer carries, refusals too: what a browser may do with it. Registered before all that may refuse. */
import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';
import { bucketOrigin, s3SettingsOf } from '../storage/s3/settings.ts';
import { requestIdHeader } from './request-id.ts';

const year = 31_536_000;

/** What a player in the frame needs goes on to it; nothing here uses the rest. Only names that every Chromium knows. */
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
    'publickey-credentials-get',
    'screen-wake-lock',
    'serial',
    'usb',
    'xr-spatial-tracking',
  ].map((name) => `${name}=()`),
].join(', ');

const isHttps = ({ publicUrl }: Pick<Config, 'publicUrl'>) => publicUrl?.startsWith('https:') ?? false;
const strictTransport = { 'strict-transport-security': `max-age=${year}` };

/** Refusals that pass no hook carry these: they hold nothing that a page could be made of. */
export const refusalHeaders = (config: Pick<Config, 'publicUrl'>): Record<string, string> => ({
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': permissions,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
  ...(isHttps(config) ? strictTransport : {}),
});

const isCall = (url: string) => /^\/api(?:[/?]|$)/.test(url);

/** Where links to pictures may lead from here. */
export const redirectOrigins = (config: Config): string[] =>
  config.linkMode === 'redirect' ? [bucketOrigin(s3SettingsOf(config))] : [];

/** Where pictures may come from beside the page's own origin: the links handed out, a cache before them, the bucket. */
const pictureOrigins = (config: Config): string[] => [
  ...[config.publicUrl, config.cdnUrl].filter((origin) => origin !== undefined),
  ...redirectOrigins(config),
];

/**
 * The page's Content-Security-Policy: nothing but what is named. No style stands in the page itself, and no script but its first
 * (http/page/client.ts adds its hash); text becomes code or markup only by the policies of client/lib/trusted-types.ts.
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
    // Any pasted link may play, but only over the web's own schemes.
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

/** Made once: a framework that puts them together for each answer takes a twentieth of a call. */
const defaultHeaders = (config: Config): Record<string, string> => ({
  'content-security-policy': pagePolicy(pictureOrigins(config)),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': permissions,
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-robots-tag': 'noindex',
  'x-xss-protection': '0',
});

export const responseHeaders = fp<{ config: Config }>(
  async (app, { config }) => {
    const usual = defaultHeaders(config);
    const https = isHttps(config);
    app.addHook('onRequest', (request, reply, done) => {
      reply.headers(usual).header(requestIdHeader, request.id);
      // Told only to those who come by https: on a plain http home network it would lock people out.
      if (https || request.protocol === 'https') reply.headers(strictTransport);
      // What a call answers is for who made it; a route that means something else says so.
      if (isCall(request.url)) reply.header('cache-control', 'no-store');
      done();
    });
  },
  { name: 'response-headers' },
);

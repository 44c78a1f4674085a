/** Headers of public pages. */
import type { FastifyReply } from 'fastify';

/**
 * Names are strangers' text: if one ever became markup, nothing in it would load or run but the page's own script.
 * @param options.form whether the page sends a form to its own address
 */
export const pagePolicy = (pictures: readonly string[], { form = false } = {}) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    // For "Copy image".
    ["connect-src 'self'", ...pictures].join(' '),
    "style-src 'self'",
    // Blurred placeholders are `data:` URLs, and a copied picture is drawn from a `blob:` URL.
    ["img-src 'self' data: blob:", ...pictures].join(' '),
    "font-src 'self'",
    "base-uri 'none'",
    `form-action ${form ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join(';');

export function sendPage(reply: FastifyReply, status: number, page: string, policy: string) {
  return reply
    .code(status)
    .headers({
      'content-security-policy': policy,
      // No cache keeps the page, so an ended link is dead at once.
      'cache-control': 'no-store',
      // The address is a secret.
      'referrer-policy': 'no-referrer',
    })
    .type('text/html; charset=utf-8')
    .send(page);
}

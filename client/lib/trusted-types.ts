/**
 * The only two ways for text to become markup or a script (Trusted Types, enforced by the server's CSP): inert markup, and the
 * URLs of our own workers.
 */
interface Rules {
  createHTML?: (text: string) => string;
  createScriptURL?: (url: string) => string;
}

interface Factory {
  // Typed as a string, although Trusted Types return an object: it is used where a string is expected.
  createPolicy(name: 'default' | 'worker', rules: Rules): { createScriptURL(url: string): string };
}

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;

const elements =
  'b|br|button|div|em|h2|i|img|input|label|li|ol|option|output|p|select|small|span|strong|svg|path|textarea|ul';
const attributes = 'aria-[a-z]+|class|for|id|role|tabindex|type|viewBox|d';
const element = new RegExp(`^/?(?:${elements})(?:\\s+(?:${attributes})="[^"<>]*")*\\s*/?$`);

/** Whether no tag can run, load or frame anything, by its name or by its attributes. */
export function isInertMarkup(text: string): boolean {
  return text
    .split('<')
    .slice(1)
    .every((part) => part.includes('>') && element.test(part.slice(0, part.indexOf('>'))));
}

let allowed = false;

/** Permits inert markup from now on, for sweetalert2, which builds its dialog from a string. */
export function allowInertMarkup(): void {
  if (allowed) return;
  allowed = true;
  factory?.createPolicy('default', {
    createHTML: (text) => {
      if (isInertMarkup(text)) return text;
      throw new TypeError('This markup is more than inert.');
    },
  });
}

const worker = factory?.createPolicy('worker', {
  createScriptURL: (url) => {
    if (new URL(url, location.origin).origin === location.origin) return url;
    throw new TypeError('A worker must be one of ours.');
  },
});

/** @param url a worker's URL from the build */
export const workerAddress = (url: string): string => worker?.createScriptURL(url) ?? url;

/**
 * The two ways in which text may become markup or a script (Trusted Types; the server's CSP allows no others): markup that
 * cannot do anything, and the addresses of our own workers.
 */
interface Rules {
  createHTML?: (text: string) => string;
  createScriptURL?: (url: string) => string;
}

interface Factory {
  // What it answers is no string, but goes where one would.
  createPolicy(name: 'default' | 'worker', rules: Rules): { createScriptURL(url: string): string };
}

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;

const elements =
  'b|br|button|div|em|h2|i|img|input|label|li|ol|option|output|p|select|small|span|strong|svg|path|textarea|ul';
const attributes = 'aria-[a-z]+|class|for|id|role|tabindex|type|viewBox|d';
const element = new RegExp(`^/?(?:${elements})(?:\\s+(?:${attributes})="[^"<>]*")*\\s*/?$`);

/** Whether every tag is one that neither runs, loads nor frames anything, and has no attribute that does. */
export function isInertMarkup(text: string): boolean {
  return text
    .split('<')
    .slice(1)
    .every((part) => part.includes('>') && element.test(part.slice(0, part.indexOf('>'))));
}

let allowed = false;

/** For sweetalert2, which makes its dialog from a text: from now on inert markup may stand wherever markup is set. */
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

/** @param url a worker's, as the build names it */
export const workerAddress = (url: string): string => worker?.createScriptURL(url) ?? url;

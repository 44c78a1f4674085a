/** The server's address and the token: from the environment, or as `gallery login` stored them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from './api/http.ts';
import { configFolder, replaceFile } from './files.ts';
import { printWait } from './progress.ts';
import { UsageError } from './usage.ts';

type Login = { address: string; token: string };

const loginFile = () => join(configFolder(), 'login.json');

/** @returns the address without a slash at its end; `https` if it has no scheme @throws UsageError */
export function readAddress(text: string): string {
  const trimmed = text.trim();
  const url = parseUrl(withScheme(trimmed));
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (!url || !isPlain) throw new UsageError(`"${trimmed}" is not the address of a gallery.`);
  return url.origin + url.pathname.replace(/\/+$/, '');
}

const withScheme = (text: string) => (/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`);

function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

export function storeLogin(login: Login): string {
  const file = loginFile();
  replaceFile(file, `${JSON.stringify(login, null, 2)}\n`);
  return file;
}

function storedLogin(): Partial<Login> {
  let text: string;
  try {
    text = readFileSync(loginFile(), 'utf8');
  } catch {
    return {};
  }
  try {
    return JSON.parse(text) as Login;
  } catch {
    throw new Error(`${loginFile()} is damaged. Run "gallery login" again.`);
  }
}

/** Prints each wait; a progress bar replaces that. @throws Error if there is no login */
export function connect(): Connection {
  const { GALLERY_URL: url, GALLERY_TOKEN: secret } = process.env;
  const stored = url && secret ? {} : storedLogin();
  const address = url ? readAddress(url) : stored.address;
  // The stored token belongs to the stored address and is sent to no other one.
  const token = secret?.trim() || (address === stored.address ? stored.token : undefined);
  if (!address) throw new Error('You are not logged in. Run "gallery login", or set GALLERY_URL and GALLERY_TOKEN.');
  if (!token) throw new Error(`There is no token for ${address}. Run "gallery login", or set GALLERY_TOKEN.`);
  return { address, token, onWait: printWait };
}

/** Names that people choose for their links: stable links (`/l/`) and shares (`/s/`). */
import { InvalidName, NameReserved } from '../errors.ts';

/** 3 to 64 characters, in any case. */
const form = /^(?=.*[a-z0-9])[a-z0-9_][a-z0-9_-]{1,62}[a-z0-9_]$/i;

/** Names that readers would take for a part of the site, or for its operator. */
const reserved = new Set(
  `about abuse account accounts admin administrator album albums all api app apps assets auth billing cli collect
  contact copyright create dashboard delete dmca docs download edit email error faq favicon feedback forgot gallery
  guest health help home host hostmaster image images img index info install legal link links list localhost login
  logout mail manifest me media metrics moderator new news null oembed official openapi owner password picture
  pictures postmaster pricing privacy private profile public register report reset robots root rules search security
  server session sessions settings setup share shared shares signin signout signup sitemap stable-links static
  status support system team terms token tokens undefined unsubscribe update upload uploads user username users
  verify video videos view webmaster well-known www you zip`.split(/\s+/),
);

/** @returns the stored name; undefined if no link can have this name */
export const storedName = (name: string): string | undefined => (form.test(name) ? name.toLowerCase() : undefined);

/** @returns the name as stored @throws InvalidName, NameReserved */
export function newName(sent: string): string {
  const name = storedName(sent);
  if (name === undefined) throw new InvalidName();
  if (reserved.has(name)) throw new NameReserved();
  return name;
}

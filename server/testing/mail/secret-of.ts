import { type Mail, readMail } from './mail-server.ts';

/** @returns the secret of the link in a mail; empty if there is none */
export const secretOf = (mail: Mail | undefined): string =>
  (mail && /#token=([\w-]{43})/.exec(readMail(mail).plain)?.[1]) ?? '';

/** A real SMTP server for a test, on a free port. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { Test } from 'tap';

export type Mail = { from: string; to: string[]; source: string };

type Options = {
  /** Required login; default: none. */
  login?: { user: string; pass: string };
  /** Whether to refuse the address, with a message that quotes it. */
  refuses?: (address: string) => boolean;
};

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

export async function startMailServer(t: Pick<Test, 'teardown'>, { login, refuses = () => false }: Options = {}) {
  const mails: Mail[] = [];
  const waiting: (() => void)[] = [];
  const held = new Map<string, Promise<void>>();
  const server = new SMTPServer({
    // A self-signed certificate would be refused, so the test speaks plain SMTP.
    disabledCommands: login ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    allowInsecureAuth: true,
    authOptional: !login,
    onAuth({ username, password }, _session, done) {
      const known = username === login?.user && password === login?.pass;
      done(known ? null : new Error('no such user'), known ? { user: username } : undefined);
    },
    onRcptTo({ address }, _session, done) {
      done(refuses(address) ? Object.assign(new Error(`no mailbox ${address}`), { responseCode: 550 }) : undefined);
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        const to = envelope.rcptTo.map(({ address }) => address);
        mails.push({ from, to, source: Buffer.concat(chunks).toString() });
        for (const wake of waiting.splice(0)) wake();
        void Promise.all(to.map((address) => held.get(address))).then(() => done());
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  const mailsTo = (address: string) => mails.filter(({ to }) => to.includes(address));
  const account = login ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.pass)}@` : '';
  return {
    url: `smtp://${account}127.0.0.1:${port}`,
    mails,
    mailsTo,
    /** Waits for this many mails, in total or to one address. */
    async received(count: number, address?: string): Promise<Mail[]> {
      const received = () => (address === undefined ? mails : mailsTo(address));
      while (received().length < count) await new Promise<void>((resolve) => waiting.push(resolve));
      return received();
    },
    /** Receives mails to these addresses without confirming them. @returns a function that confirms them */
    hold(addresses: string[]): () => void {
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      for (const address of addresses) held.set(address, released);
      return release;
    },
  };
}

const decode = (encoding: string, body: string): string => {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
};

/** The parts of a mail by type, and its header. */
export function readMail({ source }: Mail): { head: string; plain: string; html: string } {
  const parts: Record<string, string> = {};
  const boundary = /boundary="([^"]+)"/.exec(source)?.[1] ?? '';
  const [head = '', ...rest] = source.split(`--${boundary}`);
  for (const part of rest) {
    const [lines = '', ...body] = part.trimStart().split('\r\n\r\n');
    const type = /content-type: ([\w/]+)/i.exec(lines)?.[1] ?? '';
    const encoding = /content-transfer-encoding: ([\w-]+)/i.exec(lines)?.[1] ?? '7bit';
    parts[type.toLowerCase()] = decode(encoding, body.join('\r\n\r\n'));
  }
  return { head, plain: parts['text/plain'] ?? '', html: parts['text/html'] ?? '' };
}

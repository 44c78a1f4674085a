import type { MailText } from './letter.ts';

type Settings = {
  /** smtp:// or smtps://, with nodemailer's options as its query. */
  url: string;
  /** The sender: an address, or `Name <address>`. */
  from: string;
};

export type Mailer = ReturnType<typeof createMailer>;

/** Milliseconds, unless the URL sets them. Nodemailer's defaults are up to ten minutes. */
const timeouts = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 30_000 };

function withTimeouts(text: string): string {
  const url = new URL(text);
  for (const [name, ms] of Object.entries(timeouts)) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(ms));
  }
  return url.href;
}

/** Fields of a failure that may be logged: the server's message quotes the address. */
export function failureOf(error: unknown): { code?: string; responseCode?: number; command?: string } {
  const { code, responseCode, command } = error as ReturnType<typeof failureOf>;
  return { ...(code && { code }), ...(responseCode && { responseCode }), ...(command && { command }) };
}

export function createMailer({ url, from }: Settings) {
  return {
    /** @throws the mail server's error or a network error; its message may quote the address */
    async send(address: string, { subject, text, html }: MailText): Promise<void> {
      // Loaded on demand, to keep the start fast.
      const { createTransport } = await import('nodemailer');
      const transport = createTransport(withTimeouts(url));
      try {
        await transport.sendMail({
          from,
          // As an object, so that the address is never parsed as a list.
          to: { name: '', address },
          subject,
          text,
          html,
          headers: { 'Auto-Submitted': 'auto-generated' },
          disableFileAccess: true,
          disableUrlAccess: true,
        });
      } finally {
        transport.close();
      }
    },
  };
}

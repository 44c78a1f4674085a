/** Mail over SMTP. */
import type { MailText } from './letter.ts';

type Settings = {
  /** smtp:// or smtps://, with the options of nodemailer as its query. */
  url: string;
  /** Whom it comes from: an address, or `Name <address>`. */
  from: string;
};

export type Mailer = ReturnType<typeof createMailer>;

/** Milliseconds, where the URL says nothing of them. Nodemailer's own are up to ten minutes. */
const patience = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 30_000 };

function withPatience(text: string): string {
  const url = new URL(text);
  for (const [name, ms] of Object.entries(patience)) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(ms));
  }
  return url.href;
}

/** What may be told of a failure: the server's own words quote the address. */
export function failureOf(error: unknown): { code?: string; responseCode?: number; command?: string } {
  const { code, responseCode, command } = error as ReturnType<typeof failureOf>;
  return { ...(code && { code }), ...(responseCode && { responseCode }), ...(command && { command }) };
}

export function createMailer({ url, from }: Settings) {
  return {
    /** @param address of one person @throws what the mail server or the way to it said; it may quote the address */
    async send(address: string, { subject, text, html }: MailText): Promise<void> {
      // Not with the start, which nobody's mail has to wait for.
      const { createTransport } = await import('nodemailer');
      const transport = createTransport(withPatience(url));
      try {
        await transport.sendMail({
          from,
          // As an object: the address is never read as a list of them.
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

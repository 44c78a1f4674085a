import type { FastifyInstance } from 'fastify';
import { signIn } from '../account.ts';
import type { MailServer } from './mail-server.ts';

/**
 * Resolves when every mail queued before has been sent. Mails are sent in order, two at once, so two newer ones being sent
 * together prove it.
 * @returns the addresses of these two
 */
export async function mailsSent(app: FastifyInstance, post: MailServer): Promise<string[]> {
  const addresses = [(await signIn(app)).email, (await signIn(app)).email];
  const release = post.hold(addresses);
  for (const email of addresses) await app.inject({ method: 'POST', url: '/api/auth/forgot', payload: { email } });
  for (const address of addresses) await post.received(1, address);
  release();
  return addresses;
}

import t from 'tap';
import { signIn } from '../../testing/account.ts';
import { buildTestApp, temporaryFolder, testConfig } from '../../testing/app.ts';
import { addTotp } from '../../testing/second-factor.ts';
import { checkAuthenticatorApps } from './authenticator-apps.ts';
import type { Issue } from './issues.ts';

t.test(
  'authenticator apps that were set up with another JWT_SECRET, or with one that is lost, are named',
  async (t) => {
    const config = await testConfig(t);
    const app = await buildTestApp(t, config);
    const account = await signIn(app);
    await addTotp(app, account);
    await signIn(app);
    const found = async (changes: object) => {
      const issues: Issue[] = [];
      await checkAuthenticatorApps(app.db, { ...config, ...changes }, (issue) => issues.push(issue));
      return issues.map(({ kind, subject }) => `${kind} ${subject}`);
    };
    t.same(await found({}), []);
    const named = [`app unreadable ${account.id}`];
    t.same(await found({ jwtSecret: 'x'.repeat(32) }), named);
    t.same(await found({ dataDir: await temporaryFolder(t) }), named, 'a new machine');
  },
);

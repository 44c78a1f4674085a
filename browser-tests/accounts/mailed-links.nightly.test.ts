import t from 'tap';
import { signIn } from '../../server/testing/account.ts';
import { readMail } from '../../server/testing/mail/mail-server.ts';
import { openPage } from '../testing/stage.ts';
import { button, confirmsNewEmail, field, openMailStage, setsNewPassword } from '../testing/tasks/mailed-links.ts';

const stage = await openMailStage(t);
const { post } = stage;

t.test('a forgotten password is reset by a mailed link (phone, dark)', (t) =>
  setsNewPassword(t, stage, { size: 'phone', colorScheme: 'dark' }),
);

t.test('a changed email is confirmed by a click on the mailed page (desktop)', (t) =>
  confirmsNewEmail(t, stage, { size: 'desktop' }),
);

t.test('an Arabic page requests an Arabic mail', async (t) => {
  const account = await signIn(stage.app);
  const page = await openPage(t, stage, { locale: 'ar' });
  await page.goto('/forgot');
  await page.getByRole('heading', { level: 1, name: 'استعادة كلمة المرور' }).waitFor();
  const count = post.mails.length;
  await field(page, 'البريد الإلكتروني').fill(account.email);
  await button(page, 'إرسال الرابط').click();
  const mail = (await post.received(count + 1)).at(-1);
  t.match(mail && readMail(mail).plain, /مرحبًا/);
});

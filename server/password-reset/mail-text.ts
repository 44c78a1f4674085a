/** The mail with the link to a new password, as plain text and as HTML. */
import escaped from 'escape-html';

export type Language = 'en' | 'ar';
export type MailText = { subject: string; text: string; html: string };
type Facts = { username: string; link: string; origin: string };

type Words = {
  subject: string;
  greeting: (username: string) => string;
  why: (origin: string) => string;
  button: string;
  orCopy: string;
  until: string;
  ignore: string;
};

const words: Record<Language, Words> = {
  en: {
    subject: 'Set a new password',
    greeting: (username) => `Hello ${username},`,
    why: (origin) => `somebody asked for a new password for your account at ${origin}.`,
    button: 'Set a new password',
    orCopy: 'Or copy this link into your browser:',
    until: 'The link works once, within an hour. Setting a new password ends all logins of the account.',
    ignore: 'If it was not you, do nothing: your password stays as it is.',
  },
  ar: {
    subject: 'تعيين كلمة مرور جديدة',
    greeting: (username) => `مرحبًا ${username}،`,
    why: (origin) => `طلب أحدهم كلمة مرور جديدة لحسابك على ${origin}.`,
    button: 'تعيين كلمة مرور جديدة',
    orCopy: 'أو انسخ هذا الرابط إلى متصفحك:',
    until: 'يعمل الرابط مرة واحدة خلال ساعة. تعيين كلمة مرور جديدة يُنهي جميع جلسات الحساب.',
    ignore: 'إن لم تكن أنت من طلب ذلك فلا تفعل شيئًا: ستبقى كلمة مرورك كما هي.',
  },
};

const paragraph = (html: string) => `<p style="margin:0 0 16px">${html}</p>`;

function htmlOf(language: Language, { username, link, origin }: Facts): string {
  const { subject, greeting, why, button, orCopy, until, ignore } = words[language];
  const dir = language === 'ar' ? 'rtl' : 'ltr';
  const href = escaped(link);
  const style =
    'display:inline-block;padding:12px 20px;border-radius:10px;background:#eb6621;color:#1f0d03;font-weight:600';
  return [
    `<!doctype html><html lang="${language}" dir="${dir}"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`,
    '<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1b1815;background:#fff">',
    paragraph(escaped(greeting(`\u2068${username}\u2069`))),
    paragraph(escaped(why(origin))),
    paragraph(`<a href="${href}" style="${style}">${escaped(button)}</a>`),
    paragraph(
      `${escaped(orCopy)}<br><a href="${href}" dir="ltr" style="color:#a33a05;word-break:break-all">${href}</a>`,
    ),
    paragraph(escaped(until)),
    paragraph(escaped(ignore)),
    '</body></html>',
  ].join('\n');
}

/** @param facts the link holds the secret; `origin` is where the account is */
export function resetMail(language: Language, facts: Facts): MailText {
  const { subject, greeting, why, button, until, ignore } = words[language];
  const lines = [greeting(facts.username), why(facts.origin), `${button}:\n${facts.link}`, until, ignore];
  return { subject, text: `${lines.join('\n\n')}\n`, html: htmlOf(language, facts) };
}

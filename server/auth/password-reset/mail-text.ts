import { isolated, type Language, type MailText, mailOf } from '../../mail/letter.ts';

type Facts = { username: string; link: string; origin: string };

type Texts = {
  subject: string;
  greeting: (username: string) => string;
  why: (origin: string) => string;
  button: string;
  until: string;
  ignore: string;
};

const texts: Record<Language, Texts> = {
  en: {
    subject: 'Set a new password',
    greeting: (username) => `Hello ${username},`,
    why: (origin) => `somebody asked for a new password for your account at ${origin}.`,
    button: 'Set a new password',
    until:
      'The link works once, within an hour. Setting a new password ends all sessions of the account, and its API tokens unless you keep them.',
    ignore: 'If it was not you, do nothing: your password stays as it is.',
  },
  ar: {
    subject: 'تعيين كلمة مرور جديدة',
    greeting: (username) => `مرحبًا ${username}،`,
    why: (origin) => `طلب أحدهم كلمة مرور جديدة لحسابك على ${origin}.`,
    button: 'تعيين كلمة مرور جديدة',
    until: 'يعمل الرابط مرة واحدة خلال ساعة. تعيين كلمة مرور جديدة يُنهي جميع جلسات الحساب، ورموز API ما لم تُبقِها.',
    ignore: 'إن لم تكن أنت من طلب ذلك فلا تفعل شيئًا: ستبقى كلمة مرورك كما هي.',
  },
};

/** @param facts `link` contains the secret; `origin` is the gallery's */
export function resetMail(language: Language, facts: Facts): MailText {
  const { subject, greeting, why, button, until, ignore } = texts[language];
  return mailOf(language, {
    subject,
    greeting: greeting(isolated(facts.username)),
    before: [why(facts.origin)],
    link: { label: button, href: facts.link },
    after: [until, ignore],
  });
}

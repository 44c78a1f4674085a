import type { Config } from '../../config/config.ts';
import { inUtc, isolated, type Language, type MailText, mailOf } from '../../mail/letter.ts';
import type { Agent } from '../session/user-agent.ts';
import { counterOf } from './way-in-text.ts';

const confirmation = {
  en: {
    subject: 'Confirm your email',
    greeting: (name: string) => `Hello ${name},`,
    why: (origin: string) => `this email was given for an account at ${origin}.`,
    button: 'Confirm the email',
    until: 'The link works once, within a day.',
    ends: 'This is the first confirmation of the account. It ends everything that was set up before: sessions, API tokens, linked sign-in identities, passkeys, codes and collect links.',
    ignore: 'If it was not you, do not confirm.',
    takeOver: (origin: string) =>
      `To take over an account that somebody made with your email, set a new password at ${origin}/forgot.`,
  },
  ar: {
    subject: 'تأكيد بريدك الإلكتروني',
    greeting: (name: string) => `مرحبًا ${name}،`,
    why: (origin: string) => `أُدخل هذا البريد الإلكتروني لحساب على ${origin}.`,
    button: 'تأكيد البريد الإلكتروني',
    until: 'يعمل الرابط مرة واحدة خلال يوم.',
    ends: 'هذا أول تأكيد للحساب، وهو يُنهي كل ما أُعدّ قبله: الجلسات ورموز API وهويات الدخول المرتبطة ومفاتيح المرور والرموز الاحتياطية وروابط الجمع.',
    ignore: 'إن لم تكن أنت من أدخله فلا تؤكد.',
    takeOver: (origin: string) => `ولتستعيد حسابًا أنشأه غيرك ببريدك، عيّن كلمة مرور جديدة على ${origin}/forgot.`,
  },
};

const notice = {
  en: {
    subject: 'Your email is about to change',
    greeting: (name: string) => `Hello ${name},`,
    why: (origin: string, email: string) =>
      `someone asked to change the email of your account at ${origin} to ${email}. It changes once the link that was mailed there is opened.`,
    byPassword:
      'If it was you, there is nothing to do here. If it was not you, set a new password: it stops the change and ends all sessions and API tokens.',
    bySettings:
      'If it was you, there is nothing to do here. If it was not you, log in, cancel the change in the settings and end all other sessions.',
  },
  ar: {
    subject: 'بريدك الإلكتروني على وشك أن يتغير',
    greeting: (name: string) => `مرحبًا ${name}،`,
    why: (origin: string, email: string) =>
      `طلب أحدهم تغيير البريد الإلكتروني لحسابك على ${origin} إلى ${email}. ويتغير حين يُفتح الرابط المرسل إليه.`,
    byPassword:
      'إن كنت أنت من طلب ذلك فلا شيء عليك. وإن لم تكن أنت فعيّن كلمة مرور جديدة: ذلك يوقف التغيير ويُنهي جميع الجلسات ورموز API.',
    bySettings:
      'إن كنت أنت من طلب ذلك فلا شيء عليك. وإن لم تكن أنت فسجّل الدخول وألغِ التغيير من الإعدادات وأنهِ جميع الجلسات الأخرى.',
  },
};

const login = {
  en: {
    subject: 'New login to your account',
    greeting: (name: string) => `Hello ${name},`,
    why: (origin: string) => `your account at ${origin} was logged in to from a new device.`,
    program: (name: string) => `Program: ${name}`,
    unknown: 'unknown',
    on: (browser: string, system: string) => `${browser} on ${system}`,
    time: (time: string) => `Time: ${time}`,
    off: 'You can turn these mails off in the settings of your account.',
  },
  ar: {
    subject: 'تسجيل دخول جديد إلى حسابك',
    greeting: (name: string) => `مرحبًا ${name}،`,
    why: (origin: string) => `سُجّل الدخول إلى حسابك على ${origin} من جهاز جديد.`,
    program: (name: string) => `البرنامج: ${name}`,
    unknown: 'غير معروف',
    on: (browser: string, system: string) => `${browser} على ${system}`,
    time: (time: string) => `الوقت: ${time}`,
    off: 'يمكنك إيقاف هذه الرسائل من إعدادات حسابك.',
  },
};

type Facts = Pick<Config, 'passwordLogin'> & { username: string; origin: string };

/**
 * To an address that is to be confirmed.
 * @param facts `link` contains the secret; `isFirst`: the confirmation ends every earlier way in; `isNew`: the account has another email
 */
export function confirmationMail(
  language: Language,
  {
    username,
    origin,
    link,
    isFirst,
    isNew,
  }: Omit<Facts, 'passwordLogin'> & { link: string; isFirst: boolean; isNew: boolean },
): MailText {
  const { subject, greeting, why, button, until, ends, ignore, takeOver } = confirmation[language];
  return mailOf(language, {
    subject,
    greeting: greeting(isolated(username)),
    before: [why(origin)],
    link: { label: button, href: link },
    after: [isFirst ? `${until} ${ends}` : until, isFirst && !isNew ? `${ignore} ${takeOver(origin)}` : ignore],
  });
}

/** To the old address. */
export function noticeMail(language: Language, facts: Facts & { email: string }): MailText {
  const { username, origin, email, passwordLogin } = facts;
  const { subject, greeting, why, byPassword, bySettings } = notice[language];
  return mailOf(language, {
    subject,
    greeting: greeting(isolated(username)),
    before: [why(origin, isolated(email)), passwordLogin === 'on' ? byPassword : bySettings],
    link: counterOf(language, facts).link,
    after: [],
  });
}

export function loginMail(language: Language, facts: Facts & { agent: Agent; time: Date }): MailText {
  const { username, origin, agent, time } = facts;
  const { subject, greeting, why, program, unknown, on, time: at, off } = login[language];
  const { text, link } = counterOf(language, facts);
  const { browser, system } = agent;
  const name = browser && system ? on(browser, system) : (browser ?? system ?? unknown);
  return mailOf(language, {
    subject,
    greeting: greeting(isolated(username)),
    before: [why(origin), program(isolated(name)), at(isolated(inUtc(time))), text],
    link,
    after: [off],
  });
}

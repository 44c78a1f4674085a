import { inUtc, isolated, type Language, type MailText, mailOf } from '../../mail/letter.ts';
import type { Agent } from '../session/user-agent.ts';

const confirmation = {
  en: {
    subject: 'Confirm your email',
    greeting: (name: string) => `Hello ${name},`,
    why: (origin: string) => `this email was given for an account at ${origin}.`,
    button: 'Confirm the email',
    until:
      'The link works once, within a day. The first confirmation ends everything that was set up before: sessions, API tokens, linked sign-in identities, passkeys, codes and collect links.',
    ignore: (origin: string) =>
      `If it was not you, do not confirm. To take over an account that somebody made with your email, set a new password at ${origin}/forgot.`,
  },
  ar: {
    subject: 'تأكيد بريدك الإلكتروني',
    greeting: (name: string) => `مرحبًا ${name}،`,
    why: (origin: string) => `أُدخل هذا البريد الإلكتروني لحساب على ${origin}.`,
    button: 'تأكيد البريد الإلكتروني',
    until:
      'يعمل الرابط مرة واحدة خلال يوم. والتأكيد الأول يُنهي كل ما أُعدّ قبله: الجلسات ورموز API وهويات الدخول المرتبطة ومفاتيح المرور والرموز الاحتياطية وروابط الجمع.',
    ignore: (origin: string) =>
      `إن لم تكن أنت من أدخله فلا تؤكد. ولتستعيد حسابًا أنشأه غيرك ببريدك، عيّن كلمة مرور جديدة على ${origin}/forgot.`,
  },
};

const notice = {
  en: {
    subject: 'Your email is about to change',
    greeting: (name: string) => `Hello ${name},`,
    why: (origin: string, email: string) =>
      `someone asked to change the email of your account at ${origin} to ${email}. It changes once the link that was mailed there is opened.`,
    stop: 'If it was you, there is nothing to do here. If it was not you, set a new password: it stops the change and ends all sessions and API tokens.',
    button: 'Set a new password',
  },
  ar: {
    subject: 'بريدك الإلكتروني على وشك أن يتغير',
    greeting: (name: string) => `مرحبًا ${name}،`,
    why: (origin: string, email: string) =>
      `طلب أحدهم تغيير البريد الإلكتروني لحسابك على ${origin} إلى ${email}. ويتغير حين يُفتح الرابط المرسل إليه.`,
    stop: 'إن كنت أنت من طلب ذلك فلا شيء عليك. وإن لم تكن أنت فعيّن كلمة مرور جديدة: ذلك يوقف التغيير ويُنهي جميع الجلسات ورموز API.',
    button: 'تعيين كلمة مرور جديدة',
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
    stop: 'If it was you, there is nothing to do. If it was not you, set a new password at once: it ends all sessions and API tokens. Then remove passkeys and sign-in identities that are not yours in the settings.',
    button: 'Set a new password',
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
    stop: 'إن كنت أنت فلا شيء عليك. وإن لم تكن أنت فعيّن كلمة مرور جديدة فورًا: ذلك يُنهي جميع الجلسات ورموز API. ثم أزل من الإعدادات مفاتيح المرور وهويات الدخول التي ليست لك.',
    button: 'تعيين كلمة مرور جديدة',
    off: 'يمكنك إيقاف هذه الرسائل من إعدادات حسابك.',
  },
};

type Facts = { username: string; origin: string };

/** To an address that is to be confirmed. @param facts `link` contains the secret */
export function confirmationMail(language: Language, { username, origin, link }: Facts & { link: string }): MailText {
  const { subject, greeting, why, button, until, ignore } = confirmation[language];
  return mailOf(language, {
    subject,
    greeting: greeting(isolated(username)),
    before: [why(origin)],
    link: { label: button, href: link },
    after: [until, ignore(origin)],
  });
}

/** To the old address. */
export function noticeMail(language: Language, { username, origin, email }: Facts & { email: string }): MailText {
  const { subject, greeting, why, stop, button } = notice[language];
  return mailOf(language, {
    subject,
    greeting: greeting(isolated(username)),
    before: [why(origin, isolated(email)), stop],
    link: { label: button, href: `${origin}/forgot` },
    after: [],
  });
}

export function loginMail(
  language: Language,
  { username, origin, agent, time }: Facts & { agent: Agent; time: Date },
): MailText {
  const { subject, greeting, why, program, unknown, on, time: at, stop, button, off } = login[language];
  const { browser, system } = agent;
  const name = browser && system ? on(browser, system) : (browser ?? system ?? unknown);
  return mailOf(language, {
    subject,
    greeting: greeting(isolated(username)),
    before: [why(origin), program(isolated(name)), at(isolated(inUtc(time))), stop],
    link: { label: button, href: `${origin}/forgot` },
    after: [off],
  });
}

import type { Config } from '../../config/config.ts';
import { inUtc, isolated, type Language, type MailText, mailOf } from '../../mail/letter.ts';

type Unnamed =
  | 'password'
  | 'app-added'
  | 'app-removed'
  | 'codes-renewed'
  | 'factors-reset'
  | 'confirmed'
  | 'login-mails-off';
type OfToken = 'token-created' | 'token-ended';
type OfPasskey = 'passkey-added' | 'passkey-removed';
type OfIdentity = 'identity-linked' | 'identity-unlinked';

/**
 * What has changed. `name`: of the token, the passkey or the identity; or the new email. `proven`: the owner has proved who they
 * are, though not every change of this kind needs that.
 */
export type WayInChange =
  | { kind: Unnamed }
  | { kind: OfToken | OfPasskey | OfIdentity | 'email'; name: string; proven?: boolean };

type Sentences = Record<WayInChange['kind'], (name: string) => string>;

const changes: Record<Language, Sentences> = {
  en: {
    password: () => 'The password was changed.',
    'token-created': (name) => `The API token ${name} was created.`,
    'token-ended': (name) => `The API token ${name} was ended.`,
    'passkey-added': (name) => `The passkey ${name} was added.`,
    'passkey-removed': (name) => `The passkey ${name} was removed.`,
    'app-added': () => 'An authenticator app was set up.',
    'app-removed': () => 'The authenticator app was removed.',
    'codes-renewed': () => 'The recovery codes were replaced.',
    'factors-reset': () => 'An administrator removed all passkeys and codes.',
    'identity-linked': (name) => `The sign-in identity ${name} was linked.`,
    'identity-unlinked': (name) => `The sign-in identity ${name} was unlinked.`,
    email: (name) => `The email was changed to ${name}.`,
    confirmed: () =>
      'The email was confirmed for the first time. This ended all earlier sessions, API tokens, sign-in identities, passkeys, codes and collect links.',
    'login-mails-off': () => 'The mails about logins from new devices were turned off.',
  },
  ar: {
    password: () => 'غُيّرت كلمة المرور.',
    'token-created': (name) => `أُنشئ رمز API ${name}.`,
    'token-ended': (name) => `أُنهي رمز API ${name}.`,
    'passkey-added': (name) => `أُضيف مفتاح المرور ${name}.`,
    'passkey-removed': (name) => `أُزيل مفتاح المرور ${name}.`,
    'app-added': () => 'أُعدّ تطبيق مصادقة.',
    'app-removed': () => 'أُزيل تطبيق المصادقة.',
    'codes-renewed': () => 'استُبدلت الرموز الاحتياطية.',
    'factors-reset': () => 'أزال مدير الخادم جميع مفاتيح المرور والرموز.',
    'identity-linked': (name) => `رُبطت هوية الدخول ${name}.`,
    'identity-unlinked': (name) => `فُكّ ربط هوية الدخول ${name}.`,
    email: (name) => `غُيّر البريد الإلكتروني إلى ${name}.`,
    confirmed: () =>
      'أُكّد البريد الإلكتروني للمرة الأولى. وأنهى ذلك كل ما سبقه من جلسات ورموز API وهويات دخول ومفاتيح مرور ورموز احتياطية وروابط جمع.',
    'login-mails-off': () => 'أُوقفت رسائل تسجيل الدخول من الأجهزة الجديدة.',
  },
};

const texts = {
  en: {
    subject: 'A way into your account has changed',
    greeting: (name: string) => `Hello ${name},`,
    why: (origin: string) => `this is about your account at ${origin}.`,
    time: (time: string) => `Time: ${time}`,
    byPassword:
      'If it was you, there is nothing to do. If it was not you, set a new password at once: it ends all sessions and API tokens. Then remove passkeys, sign-in identities and apps that are not yours in the settings.',
    bySettings:
      'If it was you, there is nothing to do. If it was not you, log in and end all other sessions in the settings. Then remove API tokens, passkeys, sign-in identities and apps that are not yours.',
    newPassword: 'Set a new password',
    settings: 'Open the settings',
    last: 'Further changes of this kind within this hour are not mailed.',
  },
  ar: {
    subject: 'تغيّرت طريقة للدخول إلى حسابك',
    greeting: (name: string) => `مرحبًا ${name}،`,
    why: (origin: string) => `تخص هذه الرسالة حسابك على ${origin}.`,
    time: (time: string) => `الوقت: ${time}`,
    byPassword:
      'إن كنت أنت فلا شيء عليك. وإن لم تكن أنت فعيّن كلمة مرور جديدة فورًا: ذلك يُنهي جميع الجلسات ورموز API. ثم أزل من الإعدادات ما ليس لك من مفاتيح مرور وهويات دخول وتطبيقات.',
    bySettings:
      'إن كنت أنت فلا شيء عليك. وإن لم تكن أنت فسجّل الدخول وأنهِ جميع الجلسات الأخرى من الإعدادات. ثم أزل ما ليس لك من رموز API ومفاتيح مرور وهويات دخول وتطبيقات.',
    newPassword: 'تعيين كلمة مرور جديدة',
    settings: 'فتح الإعدادات',
    last: 'لن تُرسل رسائل عن تغييرات أخرى من هذا النوع خلال هذه الساعة.',
  },
};

type Server = Pick<Config, 'passwordLogin'> & { origin: string };

/** What the owner does if it was not them, and the link to where they do it. Without passwords, the settings. */
export function counterOf(language: Language, { passwordLogin, origin }: Server) {
  const { byPassword, bySettings, newPassword, settings } = texts[language];
  return passwordLogin === 'on'
    ? { text: byPassword, link: { label: newPassword, href: `${origin}/forgot` } }
    : { text: bySettings, link: { label: settings, href: `${origin}/dashboard/settings` } };
}

type Facts = Server & { username: string; time: Date; isLast: boolean };

export function wayInMail(language: Language, change: WayInChange, facts: Facts): MailText {
  const { subject, greeting, why, time, last } = texts[language];
  const { username, origin, isLast } = facts;
  const { text, link } = counterOf(language, facts);
  const sentence = changes[language][change.kind]('name' in change ? isolated(change.name) : '');
  return mailOf(language, {
    subject,
    greeting: greeting(isolated(username)),
    before: [why(origin), sentence, time(isolated(inUtc(facts.time))), text],
    link,
    after: isLast ? [last] : [],
  });
}

import { isolated, type Language, type MailText, mailOf } from '../../mail/letter.ts';

const texts = {
  en: {
    subject: 'You are invited',
    greeting: 'Hello,',
    why: (origin: string) => `you are invited to create an account at ${origin}.`,
    button: 'Create an account',
    once: 'The link works for this email.',
    ignore: 'If you do not want an account, do nothing.',
  },
  ar: {
    subject: 'أنت مدعو',
    greeting: 'مرحبًا،',
    why: (origin: string) => `أنت مدعو إلى إنشاء حساب على ${origin}.`,
    button: 'إنشاء حساب',
    once: 'يعمل الرابط لهذا البريد الإلكتروني.',
    ignore: 'إن لم ترد حسابًا فلا تفعل شيئًا.',
  },
};

/** @param facts `link` contains the secret */
export function inviteMail(language: Language, { origin, link }: { origin: string; link: string }): MailText {
  const { subject, greeting, why, button, once, ignore } = texts[language];
  return mailOf(language, {
    subject,
    greeting,
    before: [why(isolated(origin))],
    link: { label: button, href: link },
    after: [once, ignore],
  });
}

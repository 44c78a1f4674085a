/** The mail about a hidden picture. An account's language is not stored, so the mail is in both languages. */
import { directionOf, isolated, type Language, type MailText, mailPage, textParagraph } from '../../../mail/letter.ts';

type Facts = { username: string; filename: string; reason: string | null; origin: string };

const english = ({ username, filename, reason, origin }: Facts) => [
  `Hello ${isolated(username)},`,
  `the administrator of ${origin} has hidden your picture ${isolated(filename)}. Its public link no longer works. You still see it in your gallery, where you can download or delete it.`,
  reason === null ? 'No reason was given.' : `Reason: ${isolated(reason)}`,
];

const arabic = ({ username, filename, reason, origin }: Facts) => [
  `مرحبًا ${isolated(username)}،`,
  `أخفى مدير ${isolated(origin)} صورتك ${isolated(filename)}، ولم يعد رابطها العام يعمل. ما زلت تراها في معرضك، ويمكنك تنزيلها أو حذفها من هناك.`,
  reason === null ? 'لم يُذكر سبب.' : `السبب: ${isolated(reason)}`,
];

const block = (language: Language, lines: string[]) =>
  `<div lang="${language}" dir="${directionOf(language)}">${lines.map(textParagraph).join('')}</div>`;

export function hiddenMail(facts: Facts): MailText {
  const [first, second] = [english(facts), arabic(facts)];
  const html = mailPage('en', 'Your picture was hidden', [
    block('en', first),
    '<hr style="border:0;border-top:1px solid #ddd;margin:8px 0 24px">',
    block('ar', second),
  ]);
  const subject = 'Your picture was hidden · أُخفيت صورتك';
  return { subject, text: `${[...first, '', ...second].join('\n\n')}\n`, html };
}

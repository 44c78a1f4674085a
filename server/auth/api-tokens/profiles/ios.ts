import { authorization, type Profile, type ProfileSource, uploadUrl } from './profile.ts';

type Steps = (values: { url: string; header: string }) => { title: string; note: string; steps: readonly string[] };

const english: Steps = ({ url, header }) => ({
  title: 'Upload from the share sheet',
  note: 'iOS imports only signed shortcuts, so build this one by hand. It contains the token: do not share it.',
  steps: [
    'Open Shortcuts and tap +. Name the shortcut, for example Upload picture.',
    'Tap the i button and turn on Show in Share Sheet. Then tap the input of the shortcut and leave only Images selected.',
    `Add the action Get Contents of URL. Set the URL to \`${url}\``,
    'Tap the arrow to show more. Set Method to POST.',
    `Under Headers, add \`Authorization\` with the value \`${header}\``,
    'Add a second header, `Accept`, with the value `text/plain`',
    'Set Request Body to Form. Add a field of type File with the key `images`, and choose Shortcut Input as its value.',
    'Add the action Copy to Clipboard. It receives Contents of URL, which is the link.',
    'Add the action Show Notification with Contents of URL. It shows the link, or why the picture was refused.',
    'To use it, share a picture and choose the shortcut.',
  ],
});

const arabic: Steps = ({ url, header }) => ({
  title: 'الرفع من قائمة المشاركة',
  note: 'لا يستورد iOS إلا الاختصارات الموقَّعة، لذلك أنشئ هذا الاختصار بنفسك. وهو يحتوي على الرمز، فلا تشاركه.',
  steps: [
    'افتح تطبيق الاختصارات واضغط على +. سمِّ الاختصار، مثل: رفع صورة.',
    'اضغط على زر المعلومات وفعّل «إظهار في صفحة المشاركة». ثم اضغط على مدخلات الاختصار واترك «الصور» وحدها محددة.',
    `أضف الإجراء «الحصول على محتويات عنوان URL». واكتب العنوان \`${url}\``,
    'اضغط على السهم لإظهار المزيد. واختر POST في «الطريقة».',
    `في «العناوين»، أضف \`Authorization\` بالقيمة \`${header}\``,
    'أضف عنوانًا ثانيًا `Accept` بالقيمة `text/plain`',
    'اختر «نموذج» في «نص الطلب». أضف حقلًا من نوع «ملف» بالمفتاح `images`، واختر «مُدخل الاختصار» قيمةً له.',
    'أضف الإجراء «نسخ إلى الحافظة». وهو يتلقى «محتويات عنوان URL»، أي الرابط.',
    'أضف الإجراء «إظهار الإشعار» مع «محتويات عنوان URL». وهو يُظهر الرابط، أو سبب رفض الصورة.',
    'لاستخدامه، شارك صورة واختر الاختصار.',
  ],
});

const inLanguage = { en: english, ar: arabic };

/** Steps in Markdown. iOS does not import shortcuts that Apple has not signed. */
export function iosProfile(source: ProfileSource): Profile {
  const { title, note, steps } = inLanguage[source.language]({ url: uploadUrl(source), header: authorization(source) });
  const list = steps.map((step, index) => `${index + 1}. ${step}`).join('\n');
  return { filename: 'gallery-shortcut.md', content_type: 'text/markdown', text: `# ${title}\n\n${note}\n\n${list}\n` };
}

/** The words of the search tips and of a picture's form, which arrive with them and not with the first screen. */
import { locale } from './texts.ts';

type Sort = 'date-asc' | 'name-asc' | 'name-desc' | 'size-desc' | 'size-asc';

interface Words {
  sort: Readonly<Record<'label' | 'newest' | Sort, string>>;
  searchHelp: { label: string; intro: string; examples: Readonly<Record<string, string>>; quotes: string };
  searchNotes: { plain: (word: string) => string };
  edit: Readonly<Record<'open' | 'filename' | 'description' | 'hint' | 'save' | 'cancel' | 'saved' | 'failed', string>>;
}

const languages: Readonly<Record<string, Words>> = {
  en: {
    sort: {
      label: 'Sort by',
      newest: 'Newest first',
      'date-asc': 'Oldest first',
      'name-asc': 'Name, A to Z',
      'name-desc': 'Name, Z to A',
      'size-desc': 'Largest first',
      'size-asc': 'Smallest first',
    },
    searchHelp: {
      label: 'Search tips',
      intro:
        'Text is looked for in names and descriptions, letter for letter. These words narrow the search; images must meet all of them.',
      examples: {
        'type:png': 'Of one type: jpeg, png, webp, gif, avif, tiff, svg or heic',
        'size:>5mb': 'Larger than that; also <, >= and <=, with kb, mb or gb',
        'before:2026-01-01': 'Uploaded before a day, a month (2026-01) or a year',
        'after:2025': 'Uploaded after it',
        'on:2025-11': 'Uploaded in it',
        'album:"Summer"': 'In an album of that name',
        'orientation:portrait': 'Taller than wide; also landscape and square',
      },
      quotes: 'Dates are in UTC. In quotes, as in "type:png", a word is plain text.',
    },
    searchNotes: {
      plain: (word) => `“${word}” was looked for as plain text: its value is not understood. Search tips show how.`,
    },
    edit: {
      open: 'Rename or describe',
      filename: 'Filename',
      description: 'Description',
      hint: 'For people who cannot see the picture, and for searches.',
      save: 'Save',
      cancel: 'Cancel',
      saved: 'Saved',
      failed: 'This could not be saved.',
    },
  },
  ar: {
    sort: {
      label: 'الترتيب حسب',
      newest: 'الأحدث أولًا',
      'date-asc': 'الأقدم أولًا',
      'name-asc': 'الاسم تصاعديًا',
      'name-desc': 'الاسم تنازليًا',
      'size-desc': 'الأكبر أولًا',
      'size-asc': 'الأصغر أولًا',
    },
    searchHelp: {
      label: 'نصائح البحث',
      intro: 'يُبحث عن النص حرفيًا في الأسماء والأوصاف. وتضيّق هذه الكلمات البحث، فلا تظهر إلا الصور التي تستوفيها كلها.',
      examples: {
        'type:png': 'من نوع واحد: jpeg أو png أو webp أو gif أو avif أو tiff أو svg أو heic',
        'size:>5mb': 'أكبر من ذلك، وكذلك < و‎>=‎ و‎<=‎ مع kb أو mb أو gb',
        'before:2026-01-01': 'رُفعت قبل يوم أو شهر (2026-01) أو سنة',
        'after:2025': 'رُفعت بعد ذلك',
        'on:2025-11': 'رُفعت خلال ذلك',
        'album:"Summer"': 'في ألبوم بهذا الاسم',
        'orientation:portrait': 'طولها أكبر من عرضها، وكذلك landscape للعريضة و square للمربعة',
      },
      quotes: 'التواريخ بالتوقيت العالمي. والكلمة بين علامتي اقتباس، مثل "type:png"، نص عادي.',
    },
    searchNotes: {
      plain: (word) => `بُحث عن \u2066“${word}”\u2069 كنص عادي لأن قيمته غير مفهومة. انظر نصائح البحث.`,
    },
    edit: {
      open: 'تغيير الاسم أو الوصف',
      filename: 'اسم الملف',
      description: 'الوصف',
      hint: 'لمن لا يرون الصورة، وللبحث.',
      save: 'حفظ',
      cancel: 'إلغاء',
      saved: 'تم الحفظ',
      failed: 'تعذّر الحفظ.',
    },
  },
};

const english = languages.en as Words;

/** In the language of what is drawn now. */
export const findingWords = (): Words => languages[locale?.split('-')[0] ?? 'en'] ?? english;

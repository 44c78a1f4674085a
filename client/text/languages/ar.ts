/** The Arabic texts; en.ts explains the keys. Numbers are written as in Egypt: ٢٠٢٥. */
import { counting } from '../counting.ts';
import type { Refusal } from '../refusal.ts';
import type {
  AuthWords,
  FactorsWords,
  GalleryWords,
  LaterWords,
  SettingsWords,
  SharingWords,
  StartWords,
  TokensWords,
  UploadWords,
} from '../words.ts';

const locale = 'ar-EG';
const counted = counting(locale);
const number = (count: number): string => new Intl.NumberFormat(locale).format(count);
const percent = (share: number): string => new Intl.NumberFormat(locale, { style: 'percent' }).format(share / 100);

/** Left-to-right signs inside a sentence, isolated to keep their order. */
const isolated = (text: string): string => `\u2066${text}\u2069`;

/** The subject of a sentence: صورتان. */
const images = (count: number): string =>
  counted(count, { zero: 'لا صور', one: 'صورة واحدة', two: 'صورتان', few: '# صور', many: '# صورة', other: '# صورة' });

/** After a preposition, or as an object: صورتين. */
const ofImages = (count: number): string => (count === 2 ? 'صورتين' : count === 0 ? '٠ صور' : images(count));

const ofLinks = (count: number): string =>
  counted(count, { one: 'رابط واحد', two: 'رابطين', few: '# روابط', many: '# رابطًا', other: '# رابط' });

/** After a preposition: جهازين. */
const devices = (count: number): string =>
  counted(count, { one: 'جهاز واحد', two: 'جهازين', few: '# أجهزة', many: '# جهازًا', other: '# جهاز' });

const otherDevices = (count: number): string =>
  counted(count, {
    one: 'جهاز واحد آخر',
    two: 'جهازين آخرين',
    few: '# أجهزة أخرى',
    many: '# جهازًا آخر',
    other: '# جهاز آخر',
  });

type Unit = 'second' | 'minute' | 'hour';

const time = (count: number, unit: Unit, unitDisplay: 'short' | 'long'): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay }).format(count);

function timeIn(seconds: number, unitDisplay: 'short' | 'long'): string {
  if (seconds < 60) return time(seconds, 'second', unitDisplay);
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return time(minutes, 'minute', unitDisplay);
  return time(Math.round(seconds / 3600), 'hour', unitDisplay);
}

const waitTime = (seconds: number): string =>
  seconds < 90 ? time(seconds, 'second', 'short') : time(Math.ceil(seconds / 60), 'minute', 'short');

const tryAgainIn = (seconds: number | undefined): string =>
  seconds === undefined ? 'يُرجى المحاولة بعد قليل.' : `يُرجى المحاولة بعد ${timeIn(seconds, 'long')}.`;

/** The field that a validation error starts with: `The username needs …`. */
const fields: Readonly<Record<string, string>> = {
  username: 'اسم المستخدم: من ٣ إلى ٣٢ حرفًا أو رقمًا، ويجوز فيه . و _ و -',
  email: 'البريد الإلكتروني ليس عنوانًا صالحًا.',
  password: 'كلمة المرور: ٨ أحرف على الأقل، و٢٥٦ على الأكثر.',
};

/** The limit named in the server's message, in brackets: 64 MiB, 100, 100,000,000. */
function limitIn(message: string): string {
  const limit = /\d[\d.,]*(?: [KM]iB)?/.exec(message)?.[0];
  return limit === undefined ? '' : ` (${isolated(limit)})`;
}

/** Texts by error code (server/errors.ts). */
type Refusals = Readonly<Record<string, string | ((refusal: Refusal) => string | undefined)>>;

function textIn(texts: Refusals, refusal: Refusal): string | undefined {
  const text = texts[refusal.code];
  return typeof text === 'function' ? text(refusal) : text;
}

/** What any call can get. */
const refusals: Refusals = {
  INVALID_REQUEST: 'لم يفهم الخادم هذا الطلب. يُرجى التحقق من المدخلات.',
  UNAUTHORIZED: 'يُرجى تسجيل الدخول.',
  TOO_MANY_REQUESTS: ({ retryAfter }) => `محاولات كثيرة. ${tryAgainIn(retryAfter)}`,
  DATABASE_UNAVAILABLE: 'قاعدة البيانات لا تستجيب. يُرجى المحاولة بعد قليل.',
  SERVER_BUSY: ({ retryAfter }) => `الخادم مشغول. ${tryAgainIn(retryAfter)}`,
  INTERNAL_ERROR: 'أخفق الخادم في تنفيذ الطلب. يُرجى المحاولة مرة أخرى.',
};

/** Of calls that name something by its id. */
const notFound = 'لم يُعثر على المطلوب. ربما حُذف.';
/** Of uploads, and of calls for the bytes of an image. */
const storageUnavailable = 'تعذّرت القراءة من التخزين أو الكتابة فيه. يُرجى المحاولة لاحقًا أو إبلاغ المدير.';

/** What only calls for an account can get. */
const authRefusals: Refusals = {
  NOT_FOUND: notFound,
  FOREIGN_ORIGIN: 'جاء هذا الطلب من موقع غير مسموح به.',
  INVALID_REQUEST: ({ message }) => fields[/^(?:body\/|The )(\w+)/.exec(message)?.[1] ?? ''],
  EMAIL_LINK_DEAD: 'استُعمل هذا الرابط أو انتهت مدته. اطلب رابطًا جديدًا.',
  EMAIL_TAKEN_MEANWHILE: 'يوجد حساب آخر بهذا البريد الإلكتروني. اختر بريدًا آخر.',
  COMMON_PASSWORD: 'كلمة المرور هذه شائعة جدًا. اختر كلمة أخرى.',
  PASSWORD_IS_NAME: 'كلمة المرور هذه هي اسم المستخدم أو البريد الإلكتروني. اختر كلمة أخرى.',
  WRONG_CREDENTIALS: 'البريد الإلكتروني أو كلمة المرور غير صحيحة.',
  REGISTRATION_CLOSED: 'التسجيل مغلق على هذا الخادم. اطلب حسابًا من مديره.',
  ACCOUNT_DISABLED: 'هذا الحساب معطَّل. يُرجى مراجعة مدير هذا الخادم.',
  WRONG_PASSWORD: 'كلمة المرور غير صحيحة.',
  PASSWORD_NEEDED: 'يحتاج تغيير البريد الإلكتروني إلى كلمة مرور الحساب.',
  RESET_UNAVAILABLE: 'لا يرسل هذا الخادم بريدًا. اطلب كلمة مرور جديدة من مديره.',
  RESET_LINK_DEAD: 'استُعمل هذا الرابط أو انتهت مدته. اطلب رابطًا جديدًا.',
  USERNAME_TAKEN: 'اسم المستخدم هذا مأخوذ. يُرجى اختيار اسم آخر.',
  EMAIL_TAKEN: 'يوجد حساب بهذا البريد الإلكتروني. سجّل الدخول به.',
  TOO_MANY_TOKENS: ({ message }) => `بلغ حسابك أكبر عدد من رموز API${limitIn(message)}. أنهِ رمزًا لم تعد تحتاج إليه.`,
  NOT_NARROWER: 'لا يمكن توسيع صلاحيات الرمز أو مدته. أنشئ رمزًا جديدًا.',
  SCOPE_NEEDED: 'لا تسمح صلاحيات هذا الرمز بذلك.',
  SESSION_NEEDED: 'يحتاج هذا إلى تسجيل الدخول، ولا يكفي رمز API.',
};

/** What only logins and changes with a second factor can get. */
const factorRefusals: Refusals = {
  SECOND_FACTOR_NEEDED: 'كلمة المرور صحيحة. أدخل الآن رمزًا أو استعمل مفتاح مرور.',
  WRONG_SECOND_FACTOR: 'لم يُقبل هذا. يعمل كل رمز مرة واحدة: انتظر الرمز التالي أو استعمل طريقة أخرى.',
  LOGIN_STEP_ENDED: 'استغرق تسجيل الدخول وقتًا طويلًا أو أُدخلت رموز خاطئة كثيرة. سجّل الدخول من جديد.',
  PASSKEY_NOT_ACCEPTED: 'لم يُقبل مفتاح المرور هذا. ربما أُزيل من الحساب. سجّل الدخول بطريقة أخرى.',
  SECOND_FACTOR_REQUIRED: 'يشترط هذا الخادم خطوة تحقق ثانية. أعدّها أولًا في إعدادات حسابك.',
  PROOF_NEEDED: 'أكّد أولًا أنك صاحب الحساب بكلمة المرور أو بمفتاح مرور.',
  PROOF_NOT_ACCEPTED: 'لا يؤكد هذا أنك صاحب الحساب. استعمل كلمة المرور أو مفتاح مرور لهذا الحساب.',
  WRONG_CODE: 'هذا الرمز غير صحيح. أدخل الرمز الذي يعرضه التطبيق الآن، وتحقق من ساعة جهازك.',
  PASSKEYS_UNAVAILABLE: `لا تعمل مفاتيح المرور على هذا العنوان: تحتاج إلى ${isolated('https')} واسم نطاق.`,
  PASSKEY_NOT_ADDED: 'تعذّرت إضافة مفتاح المرور. ربما انتهت المهلة. حاول مرة أخرى.',
  TOO_MANY_PASSKEYS: ({ message }) =>
    `بلغ حسابك أكبر عدد من مفاتيح المرور${limitIn(message)}. أزل مفتاحًا لم تعد تحتاج إليه.`,
  FACTOR_EXISTS: 'أُعدّ تطبيق مصادقة من قبل. أزله قبل أن تُعدّ تطبيقًا آخر.',
  NO_FACTOR: 'رموز الاسترداد بديل عن طريقة أخرى. أعدّ أولًا تطبيق مصادقة أو مفتاح مرور.',
  LAST_FACTOR: 'يشترط هذا الخادم خطوة تحقق ثانية. أضف طريقة أخرى قبل أن تزيل هذه.',
  LAST_WAY_IN: 'مفتاح المرور هذا هو الطريقة الوحيدة لدخول هذا الحساب. أضف مفتاحًا آخر قبل أن تزيله.',
  TOTP_UNREADABLE: 'لم يعد الخادم قادرًا على فحص رموز هذا التطبيق. استعمل رمز استرداد أو مفتاح مرور، أو أبلغ المدير.',
};

/** What only uploads can get. */
const uploadRefusals: Refusals = {
  NOT_FOUND: notFound,
  STORAGE_UNAVAILABLE: storageUnavailable,
  REQUEST_TIMEOUT: 'لم يصل الطلب في الوقت المناسب.',
  DECODER_UNAVAILABLE: 'لا يستطيع الخادم فحص الصور الآن. لم يُحفظ شيء؛ يُرجى المحاولة بعد قليل.',
  NO_SPACE: 'لم تعد على الخادم مساحة لهذا الرفع. لم يُحفظ منه شيء.',
  NO_FILE: 'لم تُرسل أي صورة.',
  BROKEN_UPLOAD: 'انقطع الرفع قبل أن يكتمل. يُرجى الإرسال من جديد.',
  TOO_MANY_PARTS: 'وصل هذا الرفع في أجزاء أكثر مما يُقبل. ابدأه من جديد.',
  UPLOAD_LOCKED: 'يجري إرسال هذا الملف في طلب آخر.',
  TOO_MANY_UPLOADS: 'عمليات الرفع المفتوحة لهذا الحساب كثيرة. أنهِ بعضها أو ألغِه أولًا.',
  FILE_TOO_LARGE: ({ message }) => `الملف أكبر مما يقبله الخادم${limitIn(message)}.`,
  TOO_MANY_FILES: ({ message }) => `عدد الملفات أكبر مما يُرفع دفعة واحدة${limitIn(message)}. أرسل الباقي في رفع ثانٍ.`,
  QUOTA_EXCEEDED: 'لا يتسع حسابك لهذه الصورة. احذف صورًا لم تعد تحتاج إليها، أو اطلب من المدير مساحة أكبر.',
  NOT_AN_IMAGE: `الملف ليس صورة يقبلها الخادم: ${isolated('JPEG, PNG, WebP, GIF, AVIF, TIFF, SVG, HEIC')}.`,
  EMPTY_FILE: 'الملف فارغ.',
  DAMAGED_IMAGE: 'الصورة تالفة أو غير مكتملة.',
  TOO_MANY_PIXELS: ({ message }) => `أبعاد الصورة أكبر مما يقبله الخادم${limitIn(message)}.`,
};

/** What only searches can get. */
const searchRefusals: Refusals = {
  SEARCH_TOO_LARGE: ({ message }) => `في هذا البحث شروط أو نصوص كثيرة جدًا${limitIn(message)}. يُرجى تقصيره.`,
};

/** What only calls for albums can get. */
const albumRefusals: Refusals = {
  NOT_FOUND: notFound,
  TOO_MANY_ALBUMS: 'بلغ حسابك أكبر عدد من الألبومات. احذف ألبومًا لم تعد تحتاج إليه.',
  ALBUM_FULL: 'لا يتسع الألبوم لمزيد من الصور.',
};

/** What only calls for links can get. */
const linkRefusals: Refusals = {
  INVALID_NAME: `يتكوّن الاسم من ٣ إلى ٦٤ من الحروف ${isolated('a–z')} والأرقام و«-» و«_»، ولا يبدأ ولا ينتهي بـ«-».`,
  NAME_RESERVED: 'هذا الاسم محجوز. اختر اسمًا آخر.',
  NAME_TAKEN: 'هذا الاسم مأخوذ على هذا الخادم. اختر اسمًا آخر.',
  TOO_MANY_STABLE_LINKS: ({ message }) =>
    `بلغ حسابك أكبر عدد من الروابط الثابتة${limitIn(message)}. احذف رابطًا لم تعد تحتاج إليه.`,
  SHORT_NAME_OPEN: 'يستطيع أي شخص تخمين الاسم القصير. أضف كلمة مرور، أو وافق على أن يراه من يخمّنه.',
  TOO_MANY_SHARES: 'بلغ حسابك حد المشاركات. أنهِ مشاركة لم تعد تحتاج إليها.',
  GALLERY_FULL: 'لا يتسع المعرض لهذه الصورة. أخبر من أرسل إليك الرابط.',
  COLLECT_ENDED: 'انتهى هذا الرابط. اطلب رابطًا جديدًا.',
  COLLECT_FULL: 'اكتمل ما يقبله هذا الرابط من الصور. اسأل من أرسله إليك.',
  GUEST_NEEDED: 'افتح صفحة الرابط وأدخل ما تطلبه، واسمح لها بملفات تعريف الارتباط.',
  TOO_MANY_GUESTS: 'فتح كثيرون هذا الرابط. حاول غدًا، أو اطلب رابطًا جديدًا ممن أرسله إليك.',
  TOO_MANY_COLLECT_LINKS: 'بلغت حد روابط الجمع. أنهِ رابطًا منها.',
};

/** What only calls for the bytes of an image, or programs that send parts, can get. */
const pictureRefusals: Refusals = {
  OFFSET_MISMATCH: 'لا يبدأ هذا الجزء من حيث توقّف الرفع.',
  UNKNOWN_PROTOCOL_VERSION: 'هذا الإصدار من بروتوكول الرفع غير معروف للخادم.',
  PART_TOO_LONG: 'هذا الجزء أطول مما أُعلن عنه للرفع.',
  NOT_A_PART: 'لم يصل هذا الجزء من الرفع بالصيغة المطلوبة.',
  STORAGE_UNAVAILABLE: storageUnavailable,
  LOCATION_WITHHELD: 'قد تحمل هذه الصورة مكان التقاطها، وتعذّرت إزالته؛ لذلك لا يتيحها رابطها.',
  UNAVAILABLE_FOR_LEGAL_REASONS: 'هذه الصورة غير متاحة لأسباب قانونية.',
  SHARE_ENDED: 'انتهى هذا الرابط. اطلب رابطًا جديدًا ممن شاركه.',
  IMAGE_EXPIRED: 'انتهت مدة هذه الصورة. اطلب ممن أرسل الرابط أن يرفعها من جديد.',
  RANGE_NOT_SATISFIABLE: 'لا توجد هذه الأجزاء في الصورة.',
  DAMAGED_ORIGINAL: 'بيانات هذه الصورة تالفة على الخادم. يُرجى إبلاغ مديره.',
  RENDITION_UNAVAILABLE: 'معاينة هذه الصورة مفقودة على الخادم وتعذّر إنشاؤها من جديد. يُرجى المحاولة لاحقًا.',
};

export const start: StartWords = {
  locale,
  // A dot would look like the digit ٠.
  separator: ' – ',
  mailLanguage: 'ar',
  api: {
    unreachable: 'انقطع الاتصال.',
    timeout: 'لم يستجب الخادم.',
    refusal: (refusal) => textIn(refusals, refusal) ?? refusal.message,
  },
  shell: {
    skip: 'تخطَّ إلى المحتوى',
    dashboard: 'لوحة التحكم',
    mainNavigation: 'التنقل الرئيسي',
    uploadImages: 'رفع الصور',
    viewImages: 'عرض الصور',
    videoPlayer: 'مشغّل الفيديو',
    settings: 'الإعدادات',
    more: 'المزيد',
    albums: 'الألبومات',
    links: 'روابطي',
    logout: 'تسجيل الخروج',
    collapse: 'طيّ الشريط الجانبي',
    expand: 'توسيع الشريط الجانبي',
    theme: 'المظهر',
    themeNames: { system: 'النظام', light: 'فاتح', dark: 'داكن' },
    themeIs: (name) => `المظهر: ${name}`,
    loading: 'جارٍ التحميل',
    offline: 'أنت غير متصل بالإنترنت.',
    pageFailed: 'تعذّر تحميل هذه الصفحة.',
    tryAgain: 'يُرجى التحقق من الاتصال والمحاولة مرة أخرى.',
    reload: 'إعادة التحميل',
    languageFailed: 'تعذّر تحميل اللغة. يُرجى التحقق من الاتصال والمحاولة مرة أخرى.',
    sessionExpired: 'انتهت جلستك. يُرجى تسجيل الدخول من جديد.',
  },
};

export const auth: AuthWords = {
  auth: {
    refusal: (refusal) => textIn(authRefusals, refusal),
    brandLabel: 'نبذة',
    brandWord: 'ENCRYPTION',
    tagline: 'مزوّد تخزين لا يأتمر إلا بأمرك.',
    login: 'تسجيل الدخول',
    register: 'إنشاء حساب',
    signUp: 'إنشاء حساب',
    username: 'اسم المستخدم',
    email: 'البريد الإلكتروني',
    password: 'كلمة المرور',
    showPassword: 'إظهار كلمة المرور',
    hidePassword: 'إخفاء كلمة المرور',
    forgotPassword: 'هل نسيت كلمة المرور؟',
    noAccount: 'ليس لديك حساب؟',
    haveAccount: 'لديك حساب بالفعل؟',
    loginWorked: 'تم تسجيل الدخول بنجاح 🎉',
    loginFailed: 'فشل تسجيل الدخول. يُرجى التحقق من بيانات الدخول.',
    registrationWorked: 'تم إنشاء الحساب بنجاح! يمكنك الآن تسجيل الدخول.',
    registrationFailed: 'فشل إنشاء الحساب. يُرجى المحاولة مرة أخرى.',
    accountCreated: 'أُنشئ حسابك. سجّل الدخول بكلمة مرورك.',
    passkey: 'تسجيل الدخول بمفتاح مرور',
    secondStep: 'خطوة التحقق الثانية',
    forgotFailed: 'تعذّر إرسال الرابط.',
    reportAbuse: 'الإبلاغ عن إساءة',
  },
};

export const gallery: GalleryWords = {
  gallery: {
    title: 'معرض الصور',
    search: 'البحث في الصور',
    loading: 'جارٍ تحميل الصور',
    empty: 'لم يُعثر على أي صور.',
    upload: 'رفع الصور',
    loadFailed: 'تعذّر تحميل الصور',
    retry: 'إعادة المحاولة',
    card: {
      uploaded: 'تاريخ الرفع:',
      copy: 'نسخ',
      copied: 'تم النسخ!',
      remove: 'حذف',
      removing: 'جارٍ الحذف...',
    },
    toast: {
      deleteFailed: 'تعذّر الحذف',
    },
    select: {
      select: 'تحديد',
      one: (filename) => `تحديد \u2068${filename}\u2069`,
    },
    pager: {
      label: 'الصفحات',
      previous: 'السابق',
      next: 'التالي',
      page: (page, pages, isEstimate = false) =>
        `الصفحة ${number(page)} من ${isEstimate ? 'نحو ' : ''}${number(pages)}`,
      spoken: (page, pages, count) => `الصفحة ${number(page)} من ${number(pages)}، ${images(count)}`,
      found: (total, isEstimate = false) => `عُثر على ${isEstimate ? 'نحو ' : ''}${ofImages(total)}`,
    },
  },
};

export const upload: UploadWords = {
  upload: {
    title: 'رفع الصور',
    shareMissed: 'لم تصل الصور المشارَكة إلى هنا. شاركها مرة أخرى، أو اخترها أدناه.',
    refusal: (refusal) => textIn(uploadRefusals, refusal),
    images,
    drop: {
      mouse: 'اسحب الصور وأفلتها هنا، أو انقر للاختيار',
      mouseHint: 'الصق من الحافظة أو أفلت مجلدًا كاملًا.',
      touch: 'اضغط لاختيار الصور',
      touchHint: 'يمكنك اختيار عدة صور معًا.',
      over: 'أفلت للإضافة',
      unreadable: 'تعذّرت قراءة هذه الملفات.',
    },
    pending: {
      title: 'قيد الانتظار',
      clear: 'مسح الكل',
      remove: (name) => `إزالة ${name}`,
      uploaded: 'تم الرفع',
      notUploaded: 'لم تُرفع',
      waiting: (size) => `في الانتظار – ${size}`,
      part: (share, size) => `${percent(share)} من ${size}`,
      loadFailed: 'تعذّر عرض القائمة. يُرجى التحقق من الاتصال والمحاولة مرة أخرى.',
      retry: 'إعادة المحاولة',
      retryNamed: (name) => `إعادة المحاولة: ${name}`,
    },
    dock: {
      ready: (count) => ({
        count: images(count),
        rest: counted(count, { two: ' جاهزتان للرفع', other: ' جاهزة للرفع' }),
      }),
      refused: (count) => ({ count: images(count), rest: counted(count, { two: ' لم تُرفعا', other: ' لم تُرفع' }) }),
      nothing: 'لم تُختر أي صور بعد',
      upload: 'رفع',
      uploading: 'جارٍ الرفع...',
      cancel: 'إلغاء',
      pause: 'إيقاف مؤقت',
      resume: 'استئناف',
      paused: 'متوقف مؤقتًا',
      lost: 'انقطع الاتصال. جارٍ إعادة الاتصال…',
      retryAll: 'إعادة محاولة الكل',
      view: 'عرض الصور',
      done: 'صورك الآن في المعرض.',
      overall: 'التقدّم الكلي',
      count: (done, total) => `${number(done)} من ${number(total)}`,
      bytes: (sent, total) => `${sent} من ${total}`,
      speed: (size) => `${size}/ث`,
      timeLeft: (seconds) => `بقي نحو ${timeIn(seconds, 'short')}`,
      finishing: 'جارٍ الإنهاء…',
      retryAfter: (seconds) => `الخادم مشغول. إعادة المحاولة بعد ${waitTime(seconds)}`,
      value: (share, seconds) =>
        seconds === null ? percent(share) : `${percent(share)}، بقي نحو ${timeIn(seconds, 'long')}`,
    },
    toast: {
      none: 'يُرجى اختيار صورة واحدة على الأقل.',
      success: 'تم رفع الصور بنجاح 📸',
      failure: 'فشل الرفع. يُرجى المحاولة مرة أخرى.',
      counts: (stored, refused) =>
        `تم رفع ${number(stored)} من ${ofImages(stored + refused)}، وفشل رفع ${number(refused)}. السبب مذكور تحت كل صورة لم تُرفع.`,
    },
    summary: {
      title: 'آخر عملية رفع',
      stored: (count) => `حُفظت ${images(count)}`,
      there: (count) => `${images(count)} كانت موجودة من قبل`,
      refused: (count) => `لم تُرفع ${images(count)}`,
      more: (count) =>
        counted(count, {
          one: 'وصورة واحدة أخرى',
          two: 'وصورتان أخريان',
          few: 'و# صور أخرى',
          many: 'و# صورة أخرى',
          other: 'و# صورة أخرى',
        }),
      close: 'إخفاء',
    },
    locations: ({ removed, kept, withheld }) =>
      [
        removed > 0 ? `لا يظهر مكان الالتقاط ولا الأرقام التسلسلية في ${ofLinks(removed)}.` : '',
        kept > 0 ? `يظهر مكان الالتقاط والأرقام التسلسلية في ${ofLinks(kept)}.` : '',
        withheld > 0 ? `الملف الأصلي غير متاح في ${ofLinks(withheld)}، لتعذّر إزالة مكان الالتقاط منه.` : '',
      ]
        .filter((sentence) => sentence !== '')
        .join(' '),
    reason: {
      login: 'يُرجى تسجيل الدخول من جديد.',
      tooLarge: 'أكبر مما يقبله الخادم.',
      full: 'لم تعد على الخادم مساحة.',
      unknown: 'تعذّر على الخادم حفظها.',
      unreadable: 'تغيّر الملف أو نُقل. يُرجى اختياره من جديد.',
    },
    speech: {
      added: (count, pending) => `أُضيفت ${images(count)}، وقيد الانتظار ${number(pending)}`,
      alreadyListed: (pending) => `موجودة في القائمة، وقيد الانتظار ${number(pending)}`,
      removed: (name, pending) => `أُزيلت ${name}، وقيد الانتظار ${number(pending)}`,
      started: (count) => `جارٍ رفع ${ofImages(count)}`,
      passed: (share) => `رُفع ${percent(share)}`,
      retryAfter: (seconds) => `الخادم مشغول. إعادة المحاولة بعد ${waitTime(seconds)}`,
      refused: (name, reason) => `لم تُرفع ${name}. ${reason}`,
      refusedMany: (count) => `تعذّر رفع ${ofImages(count)}`,
      ended: (stored, refused) =>
        refused === 0 ? `تم رفع ${ofImages(stored)}` : `تم رفع ${number(stored)}، ولم يُرفع ${number(refused)}`,
      there: (count) => `منها ${images(count)} كانت موجودة من قبل`,
      paused: 'الرفع متوقف مؤقتًا',
      resumed: 'استؤنف الرفع',
      cancelled: 'أُلغي الرفع. قائمتك ما زالت هنا.',
    },
  },
  usage: {
    bytes: (used, most) => `استُخدم ${used} من ${most}`,
    images: (used, most) => `${number(used)} من ${ofImages(most)}`,
    full: (words) => `ممتلئ: ${words}`,
  },
};

export const later: LaterWords = {
  keyboard: {
    title: 'اختصارات لوحة المفاتيح',
    close: 'إغلاق',
    enabled: 'اختصارات المفتاح الواحد',
    hint: 'أوقفها إذا كان الإدخال الصوتي أو الضغط غير المقصود يشغّلها. تبقى الأسهم وEnter وDelete وEsc عاملة.',
    or: 'أو',
    everywhere: 'في كل مكان',
    gallery: 'معرض الصور',
    overlay: 'الصورة المفتوحة',
    keys: {
      help: 'عرض هذه الاختصارات',
      sidebar: 'طيّ الشريط الجانبي أو توسيعه',
      undo: 'تراجع',
      search: 'البحث في الصور',
      move: 'الانتقال إلى الصورة التالية في ذلك الاتجاه',
      open: 'فتح الصورة',
      select: 'تحديد الصورة',
      selectAll: 'تحديد كل صور الصفحة',
      leave: 'إنهاء التحديد',
      turn: 'الصورة السابقة أو التالية',
      ends: 'أول صورة في الصفحة أو آخر صورة',
      zoom: 'تكبير، تصغير، ملاءمة',
      details: 'إظهار التفاصيل أو إخفاؤها',
      copy: 'نسخ الرابط',
      download: 'تنزيل',
      remove: 'حذف',
      close: 'إغلاق',
    },
  },
  notFound: {
    code: '404',
    title: 'الصفحة غير موجودة',
    goHome: 'العودة إلى الرئيسية',
  },
  install: {
    newVersion: 'يتوفر إصدار جديد.',
    newVersionLater: 'يتوفر إصدار جديد. أعد التحميل بعد انتهاء الرفع.',
    reload: 'إعادة التحميل',
  },
  passwords: {
    forgot: {
      title: 'استعادة كلمة المرور',
      note: 'سيصلك رابط لتعيين كلمة مرور جديدة.',
      send: 'إرسال الرابط',
      sent: 'إن كان هناك حساب بهذا البريد الإلكتروني فالرابط في طريقه إليك. مدة صلاحيته ساعة.',
      back: 'العودة إلى',
    },
    reset: {
      title: 'تعيين كلمة مرور جديدة',
      new: 'كلمة المرور الجديدة',
      hint: '٨ أحرف على الأقل.',
      save: 'حفظ كلمة المرور',
      saved: 'حُفظت كلمة المرور الجديدة. يمكنك الآن تسجيل الدخول.',
      failed: 'تعذّر حفظ كلمة المرور.',
      incomplete: 'هذا الرابط غير مكتمل. افتحه من الرسالة مرة أخرى، أو اطلب رابطًا جديدًا.',
      again: 'طلب رابط جديد',
    },
    email: {
      title: 'تأكيد البريد الإلكتروني',
      note: 'بعد تأكيده سجّل الدخول بهذا البريد الإلكتروني.',
      confirm: 'تأكيد البريد الإلكتروني',
      confirmed: 'تم تأكيد بريدك الإلكتروني',
      failed: 'تعذّر تأكيد البريد الإلكتروني.',
      incomplete: 'هذا الرابط غير مكتمل. افتحه من الرسالة مرة أخرى، أو أرسل رابطًا جديدًا من الإعدادات.',
      settings: 'الإعدادات',
    },
  },
  finding: {
    refusal: (refusal) => textIn(searchRefusals, refusal),
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
      intro:
        'يُبحث عن النص حرفيًا في أسماء الملفات والأوصاف. وتضيّق هذه المرشّحات البحث، فلا تظهر إلا الصور التي تستوفيها كلها.',
      examples: {
        'type:png': 'من نوع واحد: jpeg أو png أو webp أو gif أو avif أو tiff أو svg أو heic',
        'size:>5mb': 'أكبر من ٥ ميغابايت، وكذلك \u2066<\u2069 و\u2066>=\u2069 و\u2066<=\u2069 مع kb أو mb أو gb',
        'before:2026-01-01': 'رُفعت قبل يوم أو شهر (\u20662026-01\u2069) أو سنة',
        'after:2025': 'رُفعت بعد يوم أو شهر أو سنة',
        'on:2025-11': 'رُفعت في يوم أو شهر أو سنة',
        'album:"Summer"': 'في ألبوم بهذا الاسم',
        'orientation:portrait': 'طولها أكبر من عرضها، وكذلك landscape للعريضة و square للمربعة',
      },
      quotes: 'التواريخ بالتوقيت العالمي. والنص بين علامتي اقتباس، مثل "type:png"، يُبحث عنه كنص عادي.',
    },
    searchNotes: {
      plain: (word) => `جرى البحث عن \u2066“${word}”\u2069 نصًّا عاديًا لأن قيمته غير صالحة.`,
    },
    edit: {
      open: 'تغيير الاسم أو الوصف',
      filename: 'اسم الملف',
      description: 'الوصف',
      hint: 'لمن لا يستطيعون رؤية الصورة، وللبحث.',
      save: 'حفظ',
      cancel: 'إلغاء',
      saved: 'تم الحفظ',
      failed: 'تعذّر الحفظ.',
    },
  },
  selection: {
    bar: 'التحديد',
    share: 'مشاركة',
    replaceLinks: 'استبدال الروابط…',
    replaceFailed: 'تعذّر استبدال الرابط.',
    count: (count) => `المحدد: ${number(count)}`,
    all: 'تحديد الكل',
    copy: 'نسخ الروابط',
    copied: (count) =>
      counted(count, {
        one: 'تم نسخ رابط واحد',
        two: 'تم نسخ رابطين',
        few: 'تم نسخ # روابط',
        many: 'تم نسخ # رابطًا',
        other: 'تم نسخ # رابط',
      }),
    copyRefused: 'تعذّر النسخ: منع متصفحك الوصول إلى الحافظة',
    tooMany: (most) => `يمكن تنزيل ${ofImages(most)} على الأكثر دفعة واحدة.`,
    confirm: (count) => `أنت على وشك حذف ${ofImages(count)} نهائيًا.`,
    deleted: (count) => `تم حذف ${ofImages(count)}`,
    someLeft: (left, count) => `تعذّر حذف ${number(left)} من ${ofImages(count)}.`,
  },
  preview: {
    refusal: (refusal) => textIn(pictureRefusals, refusal),
    copyLabel: 'انسخ هذا الرابط',
    deleted: 'تم حذف الصورة.',
    alreadyGone: 'سبق حذف الصورة.',
    confirm: {
      title: 'هل أنت متأكد؟',
      text: 'أنت على وشك حذف هذه الصورة نهائيًا.',
      yes: 'نعم، احذف',
      no: 'إلغاء',
    },
    close: 'إغلاق',
    previous: 'الصورة السابقة',
    next: 'الصورة التالية',
    download: 'تنزيل',
    downloadOriginal: 'تنزيل الملف الأصلي',
    downloadFailed: 'تعذّر تنزيل الصورة.',
    details: 'التفاصيل',
    copyAs: 'نسخ بصيغة',
    position: (index, count) => `${number(index)} من ${number(count)}`,
    failed: 'تعذّر تحميل هذه الصورة.',
    zoom: 'الحجم الكامل',
    zoomIn: 'تكبير',
    zoomOut: 'تصغير',
    strip: 'صور هذه الصفحة',
    slideshow: { play: 'تشغيل عرض الشرائح', pause: 'إيقاف عرض الشرائح مؤقتًا' },
    stage: { gallery: 'الصور', carousel: 'عارض الصور', slide: 'صورة', slideOf: 'صورة {index} من {total}' },
    copyImage: {
      label: 'الصورة',
      hint: 'الصورة نفسها بصيغة PNG',
      failed: 'تعذّر نسخ الصورة.',
      insecure: 'لا تستطيع المتصفحات نسخ الصور إلا في صفحات مفتوحة عبر https.',
      refused: 'منع المتصفح ذلك، أو تعذّرت قراءة الصورة. نزّلها بدلًا من ذلك.',
    },
    fit: 'ملاءمة النافذة',
    zoomFailed: 'تعذّر تحميل الحجم الكامل. يُرجى التحقق من الاتصال والمحاولة مرة أخرى.',
    facts: {
      filename: 'اسم الملف',
      uploaded: 'تاريخ الرفع',
      dimensions: 'الأبعاد',
      size: 'الحجم',
      type: 'النوع',
      camera: 'الكاميرا',
    },
    expiry: {
      label: 'موعد الانتهاء',
      never: 'بلا نهاية',
      soon: (left) => `تنتهي صلاحيتها ${left}`,
      on: (moment) => `تنتهي صلاحيتها في ${moment}`,
      expired: 'انتهت صلاحيتها',
      change: 'تغيير',
      changeNamed: 'تغيير موعد الانتهاء',
      choices: {
        never: 'بلا نهاية',
        '1h': 'بعد ساعة واحدة',
        '1d': 'بعد يوم واحد',
        '7d': 'بعد ٧ أيام',
        '30d': 'بعد ٣٠ يومًا',
        '1y': 'بعد سنة واحدة',
        date: 'في تاريخ آخر',
      },
      date: 'التاريخ والوقت',
      forever: 'تبقى الصورة حتى تحذفها بنفسك.',
      ends: (moment) => `تُحذف الصورة في ${moment}، ويتوقف رابطها عن العمل.`,
      outOfRange: 'اختر موعدًا بعد ٥ دقائق على الأقل و٥ سنوات على الأكثر من الآن.',
      kept: 'لم تعد للصورة مدة صلاحية',
      failed: 'تعذّر تغيير موعد انتهاء الصورة.',
      gone: {
        title: 'انتهت صلاحية هذه الصورة.',
        text: 'لم يعد رابطها يعمل، ويحذفها الخادم خلال دقائق.',
      },
    },
    location: {
      removed: 'لا يتضمّن الرابط مكان التقاط الصورة ولا الأرقام التسلسلية.',
      kept: 'يتضمّن الرابط مكان التقاط الصورة والأرقام التسلسلية.',
      withheld: 'لا يتيح الرابط الملف الأصلي، لتعذّر إزالة مكان الالتقاط منه.',
    },
    hidden: {
      card: 'أخفاها المدير',
      title: 'أخفى المدير هذه الصورة.',
      text: 'لم يعد رابطها يعمل لأحد. ما زال بإمكانك تنزيلها أو حذفها.',
      legal: 'أُخفيت لأسباب قانونية.',
      reason: 'السبب:',
      waiting: {
        card: 'بانتظارك',
        title: 'هذه الصورة بانتظارك.',
        text: 'أضافها ضيف برابط جمع. لا يراها غيرك وغير الضيف إلى أن تقبلها.',
        decide: 'اقبلها أو ارفضها في صفحة روابطي',
      },
    },
    codes: { link: 'رابط', markdown: 'Markdown', html: 'HTML', bbcode: 'BBCode' },
  },
  emptyGallery: {
    hint: 'تظهر هنا الصور التي ترفعها.',
    searchHint: 'جرّب كلمة أخرى، أو اعرض كل الصور.',
    showAll: 'عرض كل الصور',
  },
  undo: {
    button: 'تراجع',
    close: 'إخفاء',
    file: (name) => `أُزيلت \u2068${name}\u2069`,
    files: (count) => `أُزيلت ${images(count)}`,
    search: 'تُعرض كل الصور',
  },
  albums: {
    refusal: (refusal) => textIn(albumRefusals, refusal),
    title: 'الألبومات',
    count: images,
    create: 'ألبوم جديد',
    name: 'اسم الألبوم',
    save: 'حفظ',
    cancel: 'إلغاء',
    rename: 'إعادة التسمية',
    remove: 'حذف',
    earlier: 'تقديم',
    later: 'تأخير',
    empty: 'لا توجد ألبومات بعد.',
    emptyHint: 'حدّد صورًا في معرضك وأضفها إلى ألبوم، أو أنشئ ألبومًا فارغًا عبر «ألبوم جديد».',
    emptyAlbum: 'لا توجد صور في هذا الألبوم بعد.',
    emptyAlbumHint: 'حدّد صورًا في معرضك، ثم اختر «إضافة إلى ألبوم».',
    toGallery: 'عرض الصور',
    loading: 'جارٍ تحميل الألبومات',
    loadFailed: 'تعذّر تحميل ألبوماتك.',
    albumFailed: 'تعذّر تحميل هذا الألبوم.',
    gone: 'لم يعد هذا الألبوم موجودًا.',
    back: 'كل الألبومات',
    retry: 'إعادة المحاولة',
    failed: 'تعذّر حفظ التغيير.',
    failedForNow: 'تعذّر حفظ التغيير. يُرجى المحاولة مرة أخرى.',
    deleted: 'تم حذف الألبوم',
    moved: (name, position, count) => `\u2068${name}\u2069 الآن في الموضع ${number(position)} من ${number(count)}`,
    confirmDelete: { title: 'هل أنت متأكد؟', text: 'هل تريد حذف هذا الألبوم؟ ستبقى صوره في معرضك.', yes: 'نعم، احذف' },
    image: {
      cover: 'الغلاف الحالي – إلغاء',
      setCover: 'اجعلها الغلاف',
      remove: 'إزالة',
      removed: 'أُزيلت من الألبوم. تبقى الصورة في معرضك.',
    },
    link: {
      title: 'الرابط العام',
      collect: 'جمع صور',
      none: 'ليس لهذا الألبوم رابط عام.',
      open: 'يمكن لأي شخص لديه هذا الرابط مشاهدة الألبوم دون تسجيل الدخول.',
      make: 'إنشاء رابط عام',
      label: 'الرابط العام',
      copy: 'نسخ',
      copied: 'تم النسخ!',
      copyRefused: 'تعذّر النسخ: منع متصفحك الوصول إلى الحافظة',
      copyByHand: 'الرابط محدَّد. انسخه من الخانة.',
      end: 'إيقاف الرابط',
      ended: 'تم إيقاف الرابط',
      confirm: {
        title: 'هل أنت متأكد؟',
        text: 'لن يتمكن من لديه الرابط من مشاهدة هذا الألبوم بعد الآن. وإذا شاركته مجددًا فسيكون الرابط مختلفًا.',
        yes: 'نعم، أوقفه',
      },
    },
    add: {
      button: 'إضافة إلى ألبوم',
      title: (count) => `إضافة إلى ألبوم: ${images(count)}`,
      create: 'إنشاء ألبوم جديد',
      added: (count, name) => `أُضيفت إلى \u2068${name}\u2069: ${images(count)}`,
      present: (name) => `موجودة في \u2068${name}\u2069 من قبل`,
      missing: (count) => `لم تعد ${images(count)} في معرضك.`,
      removed: (count, name) => `أُزيلت من \u2068${name}\u2069: ${images(count)}`,
    },
  },
  video: {
    title: 'مشغّل الفيديو',
    heading: 'مشغّل فيديو من مزوّد سحابي',
    label: 'رابط الفيديو',
    placeholder: 'الصق رابط فيديو',
    clear: 'مسح',
    frameTitle: 'مشغّل الفيديو',
    watched: {
      title: 'آخر ما شوهد',
      clear: 'مسح القائمة',
      play: (link) => `تشغيل ${link}`,
      remove: (link) => `إزالة ${link}`,
      removed: (count) =>
        counted(count, {
          one: 'أُزيل رابط واحد',
          two: 'أُزيل رابطان',
          few: 'أُزيلت # روابط',
          many: 'أُزيل # رابطًا',
          other: 'أُزيل # رابط',
        }),
    },
    notAVideoLink: 'لا يبدو هذا رابط فيديو.',
    accepted: `الصق رابط صفحة من YouTube أو Vimeo أو Dailymotion أو Twitch، أو رابط ملف وسائط، أو عنوان موقع آخر يبدأ بـ ${isolated('http://')} أو ${isolated('https://')}`,
  },
};

export const sharing: SharingWords = {
  links: {
    refusal: (refusal) => textIn(linkRefusals, refusal),
    title: 'روابطي',
    section: 'الروابط',
    loading: 'جارٍ التحميل',
    retry: 'إعادة المحاولة',
    save: 'حفظ',
    cancel: 'إلغاء',
    close: 'إغلاق',
    failed: 'تعذّر حفظ التغيير.',
    copy: 'نسخ',
    copied: 'تم النسخ!',
    copyRefused: 'تعذّر النسخ: منع متصفحك الوصول إلى الحافظة',
    replace: {
      button: 'استبدال الرابط',
      title: (count) => (count === 1 ? 'هل تريد استبدال الرابط؟' : `هل تريد استبدال روابط ${ofImages(count)}؟`),
      confirmText: (count) =>
        count === 1
          ? 'تحصل الصورة على رابط جديد، وتتوقف عن العمل الروابط التي شاركتها إليها.'
          : `يُنشأ رابط جديد لكل صورة من ${ofImages(count)}، وتتوقف عن العمل الروابط التي شاركتها إليها.`,
      yes: 'استبدال',
      done: (count) =>
        count === 1 ? 'تم استبدال الرابط. يمكنك نسخ الرابط الجديد.' : `تم استبدال روابط ${ofImages(count)}`,
      failed: 'تعذّر استبدال الرابط.',
      someLeft: (left, count) => `تعذّر استبدال ${number(left)} من روابط ${ofImages(count)}.`,
      missing: 'حُذفت الصورة أو انتهت صلاحيتها.',
    },
    stable: {
      title: 'الروابط الثابتة',
      about: 'يحتفظ الرابط الثابت بعنوانه ويؤدي إلى صورة تختارها، كشعارك مثلًا. يستطيع من يخمّن اسمه رؤية الصورة.',
      empty: 'لا توجد روابط ثابتة بعد. لإنشاء رابط، افتح صورة واختر «رابط ثابت جديد» في تفاصيلها.',
      loadFailed: 'تعذّر تحميل روابطك الثابتة.',
      label: 'رابط ثابت',
      create: 'رابط ثابت جديد',
      created: 'تم إنشاء الرابط الثابت',
      name: 'اسم الرابط الثابت',
      // Written out: a call in a constant text would be loaded with the first page.
      nameHint: 'من ٣ إلى ٦٤ حرفًا لاتينيًا (\u2066a–z\u2069) أو رقمًا أو «-» أو «_». يستطيع من يخمّن الاسم رؤية الصورة.',
      save: 'إنشاء',
      copyNamed: (name) => `نسخ الرابط ${isolated(name)}`,
      point: 'تغيير الصورة',
      pointNamed: (name) => `تغيير صورة ${isolated(name)}`,
      pointed: 'يؤدي الرابط الآن إلى هذه الصورة',
      rename: 'إعادة التسمية',
      renameNamed: (name) => `إعادة تسمية ${isolated(name)}`,
      renamed: 'أُعيدت تسمية الرابط، ولم يعد اسمه السابق يعمل.',
      remove: 'حذف',
      removeNamed: (name) => `حذف ${isolated(name)}`,
      removed: 'تم حذف الرابط الثابت',
      noImage: 'حُذفت صورته. اختر صورة أخرى.',
      confirmRemove: {
        title: 'هل أنت متأكد؟',
        text: (name) => `يتوقف الرابط ${isolated(name)} عن العمل، ويمكن لغيرك أخذ اسمه. تبقى الصورة.`,
        yes: 'نعم، احذف',
      },
    },
    qr: {
      button: 'رمز QR',
      named: (name) => `رمز QR للرابط ${isolated(name)}`,
      title: 'رمز QR',
      alt: (url) => `رمز QR للرابط ${isolated(url)}`,
      save: 'تنزيل SVG',
    },
    picker: {
      search: 'ابحث في صورك',
      none: 'لم يُعثر على صور.',
      failed: 'تعذّر تحميل الصور',
    },
    shares: {
      heading: 'المشاركات',
      about: 'يرى صور المشاركة كل من لديه رابطها حتى تنتهي. أنت تحدد ما يحصل عليه الزوار.',
      empty: 'لا توجد مشاركات بعد. لإنشاء مشاركة، حدد صورًا في معرضك أو افتح ألبومًا، ثم اختر «مشاركة».',
      loadFailed: 'تعذّر تحميل مشاركاتك.',
      title: (count) => `مشاركة ${ofImages(count)}`,
      titleOfAlbum: (name) => `مشاركة ${isolated(name)}`,
      defaultName: images,
      editTitle: 'تعديل المشاركة',
      edit: 'تعديل',
      editNamed: (name) => `تعديل ${isolated(name)}`,
      saved: 'تم حفظ المشاركة',
      views: (count) =>
        counted(count, {
          ...{ zero: 'لا مشاهدات', one: 'مشاهدة واحدة', two: 'مشاهدتان' },
          ...{ few: '# مشاهدات', many: '# مشاهدة', other: '# مشاهدة' },
        }),
      protected: 'بكلمة مرور',
      ended: 'انتهت',
      end: 'إنهاء',
      endNamed: (name) => `إنهاء ${isolated(name)}`,
      endDone: 'تم إنهاء المشاركة',
      confirmEnd: {
        title: 'هل أنت متأكد؟',
        text: (name) => `يتوقف رابط ${isolated(name)} عن العمل نهائيًا. تبقى الصور.`,
        yes: 'نعم، أنهِها',
      },
      form: {
        name: 'العنوان',
        nameHint: 'يراه كل من لديه الرابط، حتى قبل إدخال كلمة المرور.',
        password: 'كلمة المرور',
        passwordHint: 'اختيارية. ٨ أحرف على الأقل.',
        newPassword: 'كلمة مرور جديدة',
        newPasswordHint: 'اتركها فارغة للإبقاء على الحالية. كلمة المرور الجديدة تمنع من أدخل القديمة.',
        removePassword: 'إزالة كلمة المرور',
        forever: 'يعمل الرابط حتى تنهيه.',
        until: (moment) => `يتوقف الرابط عن العمل في ${moment}.`,
        visitors: 'يستطيع الزوار',
        originals: 'الحصول على الصور الأصلية دون مكان التقاطها',
        details: 'رؤية أسماء الملفات والأوصاف',
        download: 'تنزيل كل الصور في ملف ZIP',
        renditions: 'يحصل الزوار على نسخ أصغر لا تتجاوز ١٦٠٠ بكسل.',
        withoutDetails: 'قد تحتوي الصور الأصلية على أسماء، لذلك يحصل الزوار على نسخ أصغر لا تتجاوز ١٦٠٠ بكسل.',
        shortName: 'الاسم القصير',
        shortNameHint:
          'اختياري، لرابط مثل \u2066/s/summer-2026\u2069. من ٣ إلى ٦٤ حرفًا لاتينيًا (\u2066a–z\u2069) أو رقمًا أو «-» أو «_».',
        guessable: 'يراها كل من يخمّن الاسم',
        create: 'إنشاء الرابط',
        missing: {
          length: 'لا يمكن أن يتكوّن الاسم القصير من ٢٢ حرفًا بالضبط. أطِله أو قصّره.',
          consent: 'أضف كلمة مرور، أو وافق على أن يرى الصور كل من يخمّن الاسم.',
        },
      },
      made: {
        title: 'تم إنشاء المشاركة',
        link: 'الرابط',
        open: 'يرى الصور كل من لديه هذا الرابط.',
        withPassword: 'يرى الصور كل من لديه هذا الرابط وكلمة المرور. أرسل كلمة المرور منفصلة.',
        done: 'تم',
      },
      copied: {
        text: (count) =>
          count === 1
            ? 'نسخت من قبل الرابط الدائم لإحدى الصور، وهو يعمل دون كلمة المرور.'
            : `نسخت من قبل الروابط الدائمة لـ${ofImages(count)}، وهي تعمل دون كلمة المرور.`,
        replace: (count) => (count === 1 ? 'استبدال الرابط' : `استبدال روابط ${ofImages(count)}`),
        selection: 'الروابط الدائمة لهذه الصور التي أرسلتها من قبل تعمل دون كلمة المرور.',
        albumPage: 'لهذا الألبوم رابط عام أيضًا، وهو يعمل دون كلمة المرور.',
      },
    },
    collect: {
      heading: 'روابط الجمع',
      about: 'يستطيع من لديه رابط جمع إضافة صور إلى أحد ألبوماتك دون حساب.',
      empty: 'لا توجد روابط جمع بعد. لإنشاء رابط، افتح ألبومًا واختر «جمع صور».',
      loadFailed: 'تعذّر تحميل روابط الجمع.',
      title: (album) => `جمع صور لألبوم ${album}`,
      editTitle: 'تعديل رابط الجمع',
      saved: 'تم حفظ رابط الجمع',
      endDone: 'تم إنهاء رابط الجمع',
      confirmEnd: {
        title: 'هل أنت متأكد؟',
        text: (name) => `لن يستطيع أحد إضافة صور بالرابط إلى ${name}. تبقى الصور.`,
        yes: 'نعم، أنهِ الرابط',
      },
      files: (count, most) => `${number(count)} من ${ofImages(most)}`,
      bytes: (size, most) => `${size} من ${most}`,
      waiting: (count) => `${images(count)} بانتظارك`,
      form: {
        nameHint: 'يراه كل من لديه الرابط، حتى قبل كلمة المرور.',
        guests: 'الضيوف',
        open: 'يرون الألبوم كله',
        asks_name: 'عليهم ذكر أسمائهم، ولا يراها غيرك',
        look_first: 'تنتظر صورهم حتى تقبلها',
        maxFiles: 'أكبر عدد من الصور',
        maxGigabytes: 'أكبر حجم (غيغابايت)',
        quota: 'تُحفظ صور الضيوف في معرضك وتُحسب من مساحتك.',
      },
      made: {
        title: 'تم إنشاء رابط الجمع',
        link: 'الرابط',
        open: 'يستطيع من لديه هذا الرابط إضافة صور.',
        withPassword: 'يستطيع من لديه هذا الرابط وكلمة المرور إضافة صور. أرسل كلمة المرور على حدة.',
        done: 'تم',
      },
      wait: {
        heading: 'صور تنتظر',
        about: 'لا يرى الصورة غيرك وغير الضيف الذي أضافها إلى أن تقبلها.',
        empty: 'لا توجد صور تنتظر.',
        loadFailed: 'تعذّر تحميل الصور التي تنتظر.',
        from: (guest) => `من ${guest}`,
        alt: (name, guest) => `${name}، من ${guest}`,
        view: (name) => `عرض ${name}`,
        noThumbnail: 'تعذّر تحميل الصورة المصغّرة.',
        select: (name) => `تحديد ${name}`,
        choose: 'تحديد',
        all: 'تحديد الكل',
        admit: (count) => `قبول ${ofImages(count)}`,
        refuse: (count) => `رفض ${ofImages(count)}`,
        admitted: (count) => `أُضيفت إلى الألبوم: ${images(count)}`,
        refused: (count) => `حُذفت: ${images(count)}`,
        admittedOnly: (count) => `قُبلت: ${images(count)}`,
        noAlbum: (count) => `حُذف الألبوم، فلم تُضف إليه: ${images(count)}.`,
        stopped: (done, count) => `توقفت العملية بعد ${number(done)} من ${ofImages(count)}`,
        gone: (count) => `لم تعد تنتظر: ${images(count)}.`,
        more: (count) => `تنتظر أيضًا: ${images(count)}.`,
        confirmRefuse: {
          title: (count) => `هل تريد رفض ${ofImages(count)}؟`,
          text: (count) => (count === 2 ? 'ستُحذفان نهائيًا.' : 'ستُحذف نهائيًا.'),
        },
      },
    },
    guest: {
      about: 'دُعيت إلى إضافة صور.',
      filesStay: 'غيّر صاحب الرابط إعداداته. الصور التي اخترتها باقية هنا.',
      name: 'اسمك',
      nameHint: 'لا يراه غير صاحب الألبوم.',
      passwordHint: 'تجدها عند من أرسل إليك الرابط.',
      wrongPassword: 'كلمة المرور هذه غير صحيحة.',
      enter: 'متابعة',
      left: (count, size) => `يتسع لـ${ofImages(count)}، ${size}`,
      largest: (size) => `${size} لكل صورة على الأكثر`,
      until: (moment) => `مفتوح حتى ${moment}`,
      looked: 'يرى الآخرون صورك بعد أن يقبلها صاحب الألبوم',
      full: 'اكتمل هذا الرابط ولم يعد يقبل صورًا. لإفساح مكان، أزل بعض صورك أو اسأل من أرسل إليك الرابط.',
      ended: 'انتهى هذا الرابط',
      endedText: 'لم يعد يقبل صورًا. اطلب رابطًا جديدًا ممن أرسله إليك.',
      unknown: 'لم يُعثر على الرابط',
      unknownText: 'تحقق من أنك فتحت الرابط كاملًا، أو اسأل من أرسله إليك.',
      loadFailed: 'تعذّر فتح الرابط.',
      own: 'صورك',
      noneYet: 'لم تضف أي صورة بعد.',
      noneLeft: 'لم تعد لك صور هنا.',
      album: 'الألبوم',
      albumEmpty: 'الألبوم فارغ.',
      imagesFailed: 'تعذّر تحميل الصور.',
      picture: 'صورة',
      waiting: 'بانتظار صاحب الألبوم',
      remove: 'إزالة',
      removeNamed: (name) => `إزالة ${name}`,
      removed: 'تمت إزالة الصورة',
      removeFailed: 'تعذّرت إزالة الصورة.',
      confirmRemove: {
        title: 'هل تريد إزالة هذه الصورة؟',
        text: 'ستُحذف من الألبوم أيضًا.',
        yes: 'إزالة',
      },
      newer: 'الأحدث',
      older: 'الأقدم',
      page: (page, pages) => `الصفحة ${number(page)} من ${number(pages)}`,
    },
    shared: {
      title: 'الألبومات العامة',
      about: 'يستطيع من لديه أحد هذه الروابط مشاهدة الألبوم دون تسجيل الدخول.',
      empty: 'لا يوجد ألبوم له رابط عام.',
      open: 'فتح الألبوم',
    },
    expiring: {
      title: 'صور لها موعد انتهاء',
      about: 'في الموعد المبيّن تُحذف الصورة ويتوقف رابطها عن العمل.',
      empty: 'لا توجد صور لها موعد انتهاء.',
      loadFailed: 'تعذّر تحميل الصور التي لها موعد انتهاء.',
      show: 'عرض في المعرض',
      more: (count) => `تنتهي بعدها صلاحية ${ofImages(count)}.`,
    },
  },
};

export const settings: SettingsWords = {
  settings: {
    title: 'الإعدادات',
    saved: 'تم الحفظ',
    failed: 'تعذّر الحفظ. يُرجى المحاولة مرة أخرى.',
    retry: 'إعادة المحاولة',
    profile: {
      title: 'الملف الشخصي',
      save: 'حفظ',
      passwordHint: 'أدخل كلمة مرورك لتغيير البريد الإلكتروني.',
    },
    email: {
      sent: 'لتأكيد بريدك الجديد، افتح الرابط المرسل إليه.',
      waiting: 'لم يُؤكَّد بعد:',
      resend: 'إعادة إرسال الرابط',
      resent: 'أُعيد إرسال الرابط',
      cancel: 'إلغاء التغيير',
      cancelled: 'أُلغي تغيير البريد الإلكتروني',
    },
    storage: {
      title: 'التخزين',
      label: 'التخزين المستخدم',
      used: (size) => `المستخدم: ${size}`,
      of: (size) => ` من ${size}`,
      images,
      imagesOf: (used, most) => `${number(used)} من ${ofImages(most)}`,
      almostFull: 'يكاد يمتلئ',
      full: 'ممتلئ',
      unlimited: 'لا يوجد حد لحسابك.',
      loading: 'جارٍ تحميل التخزين',
      loadFailed: 'تعذّر تحميل مساحة التخزين.',
    },
    appearance: { title: 'المظهر', shortcuts: 'اختصارات لوحة المفاتيح' },
    language: { title: 'اللغة' },
    password: {
      title: 'كلمة المرور',
      current: 'كلمة المرور الحالية',
      new: 'كلمة المرور الجديدة',
      newHint: '٨ أحرف على الأقل.',
      change: 'تغيير كلمة المرور',
      ended: (count) => (count === 0 ? undefined : `تم تسجيل الخروج من ${otherDevices(count)}.`),
      note: 'يؤدي تغيير كلمة المرور إلى تسجيل الخروج من أجهزتك الأخرى.',
      endTokens: 'إنهاء رموز API أيضًا',
      endedTokens: (count) =>
        counted(count, {
          one: 'أُنهي رمز API واحد.',
          two: 'أُنهي رمزا API.',
          few: 'أُنهيت # رموز API.',
          many: 'أُنهي # رمز API.',
          other: 'أُنهي # رمز API.',
        }),
    },
    tokens: {
      title: 'رموز API',
      loading: 'جارٍ تحميل رموز API',
      loadFailed: 'تعذّر تحميل رموز API.',
    },
    factors: {
      title: 'مفاتيح المرور والرموز',
      loading: 'جارٍ تحميل مفاتيح المرور والرموز',
      loadFailed: 'تعذّر تحميل مفاتيح المرور والرموز.',
    },
    sessions: {
      title: 'الجلسات',
      on: (browser, system) => `\u2068${browser}\u2069 على \u2068${system}\u2069`,
      unknown: 'جهاز غير معروف',
      current: 'هذا الجهاز',
      seen: 'آخر استخدام:',
      begun: 'تاريخ الدخول:',
      methods: { passkey: 'بمفتاح مرور', provider: 'عبر مزوّد الهوية' },
      factors: {
        totp: 'بكلمة مرور ورمز',
        'recovery-code': 'بكلمة مرور ورمز استرداد',
        passkey: 'بكلمة مرور ومفتاح مرور',
      },
      end: 'تسجيل الخروج',
      endNamed: (name) => `تسجيل الخروج من ${name}`,
      endOthers: 'تسجيل خروج الأجهزة الأخرى',
      ended: (count) => `تم تسجيل الخروج من ${devices(count)}`,
      endFailed: 'تعذّر تسجيل الخروج من الجهاز.',
      loading: 'جارٍ تحميل الجلسات',
      loadFailed: 'تعذّر تحميل جلساتك.',
      mails: 'أبلغني بالبريد عن تسجيل الدخول من أجهزة جديدة',
    },
    deletion: {
      title: 'حذف الحساب',
      note: 'يحذف حسابك وجميع صوره نهائيًا. وتتوقف روابطها فورًا.',
      open: 'حذف الحساب…',
      ask: 'هل تريد حذف حسابك؟',
      text: (held) => `سيُحذف حسابك ومعه ${held} نهائيًا. لا يمكن التراجع عن ذلك.`,
      everything: 'كل ما فيه',
      password: 'كلمة مرورك',
      confirm: 'حذف الحساب',
      cancel: 'إلغاء',
      done: 'تم حذف حسابك.',
      failed: 'تعذّر حذف حسابك.',
    },
  },
};

export const factors: FactorsWords = {
  factors: {
    refusal: (refusal) => textIn(factorRefusals, refusal),
    note: 'بعد إضافة مفتاح مرور أو تطبيق مصادقة، لا تكفي كلمة المرور وحدها لتسجيل الدخول.',
    mustSetUp: 'يشترط هذا الخادم خطوة تحقق ثانية. أضف مفتاح مرور أو تطبيق مصادقة للمتابعة.',
    goOn: 'متابعة',
    failed: 'تعذّر تغيير ذلك.',
    cancel: 'إلغاء',
    done: 'تم',
    passkeys: {
      title: 'مفاتيح المرور',
      note: 'يؤكد جهازك هويتك ببصمتك أو وجهك أو رمزه. ولا حاجة إلى كلمة مرور.',
      none: 'لا مفاتيح مرور بعد.',
      add: 'إضافة مفتاح مرور',
      added: 'أُضيف مفتاح المرور',
      created: 'أُضيف:',
      used: 'آخر استخدام:',
      unused: 'لم يُستخدم بعد',
      synced: 'متزامن بين أجهزتك',
      rename: 'تغيير الاسم',
      renameNamed: (name) => `تغيير اسم \u2068${name}\u2069`,
      name: 'الاسم',
      save: 'حفظ',
      renamed: 'تم تغيير الاسم',
      remove: 'إزالة',
      removeNamed: (name) => `إزالة \u2068${name}\u2069`,
      removed: 'أُزيل مفتاح المرور',
      obstacles: {
        insecure: 'لا تعمل مفاتيح المرور هنا: يُفتح هذا الخادم بلا اتصال آمن. اطلب من مديره إعداده.',
        'ip-address': 'لا تعمل مفاتيح المرور هنا: يُفتح هذا الخادم برقم عنوان، وتحتاج المفاتيح إلى اسم نطاق.',
        'no-public-url': `لا تعمل مفاتيح المرور هنا: على مدير الخادم ضبط ${isolated('PUBLIC_URL')} أولًا.`,
        browser: 'لا يدعم هذا المتصفح مفاتيح المرور.',
      },
    },
    app: {
      title: 'تطبيق المصادقة',
      note: 'يعرض التطبيق رمزًا من ستة أرقام يتغيّر كل ٣٠ ثانية.',
      isOn: 'مُعَدّ.',
      setUp: 'إعداد تطبيق',
      added: 'أُعدّ تطبيق المصادقة',
      remove: 'إزالة التطبيق',
      removed: 'أُزيل تطبيق المصادقة',
      scan: 'امسح هذا الرمز بالتطبيق، أو أدخل فيه النص الذي تحته.',
      alt: 'رمز QR لتطبيق المصادقة',
      secret: 'السر كنص',
      code: 'الرمز الذي يعرضه التطبيق',
      confirm: 'تأكيد',
    },
    codes: {
      title: 'رموز الاسترداد',
      note: 'تحل محل مفتاح أو تطبيق فقدته. يعمل كل رمز مرة واحدة بعد كلمة المرور.',
      none: 'تحصل على عشرة رموز مع أول مفتاح مرور أو تطبيق.',
      left: (count) =>
        counted(count, {
          zero: 'لم يبقَ أي رمز.',
          one: 'بقي رمز واحد.',
          two: 'بقي رمزان.',
          few: 'بقيت # رموز.',
          many: 'بقي # رمزًا.',
          other: 'بقي # رمز.',
        }),
      renew: 'رموز جديدة',
      once: 'احفظ هذه الرموز الآن: لن تُعرض مرة أخرى. والرموز السابقة لم تعد تعمل.',
      copy: 'نسخ',
      copied: 'تم النسخ',
      copyRefused: 'تعذّر النسخ: منع متصفحك الوصول إلى الحافظة',
      download: 'تنزيل',
      heading: (host) => `رموز الاسترداد ل\u2068${host}\u2069. يعمل كل رمز مرة واحدة.`,
    },
    proof: {
      title: 'أكّد أنك صاحب الحساب',
      password: 'كلمة مرورك',
      next: 'متابعة',
      passkey: 'استعمال مفتاح مرور',
      recent: 'سجّلت الدخول قبل قليل عند مزوّد هويتك. تابع خلال خمس دقائق من ذلك.',
      losing: 'إذا كان هذا آخر ما لديك، تكفي كلمة المرور وحدها بعد ذلك، وتتوقف رموز الاسترداد.',
    },
    second: {
      failed: 'تعذّر تسجيل الدخول.',
      code: 'الرمز من تطبيق المصادقة',
      recoveryCode: 'رمز استرداد',
      recoveryHint: 'يعمل كل رمز مرة واحدة.',
      passkey: 'استعمال مفتاح مرور',
      passkeyNote: 'أكّد تسجيل الدخول بجهازك.',
      other: {
        totp: 'استعمال تطبيق المصادقة',
        'recovery-code': 'استعمال رمز استرداد',
        passkey: 'استعمال مفتاح مرور',
      },
      none: 'لا تعمل أي طريقة من طرقك على هذا العنوان. افتح الخادم بعنوانه المعتاد، أو اسأل مديره.',
      back: 'العودة إلى تسجيل الدخول',
    },
    cancelled: 'لم يؤكد جهازك، أو أُلغي الطلب. حاول مرة أخرى.',
    onDevice: 'على هذا الجهاز مفتاح مرور لهذا الحساب.',
  },
};

export const tokens: TokensWords = {
  tokens: {
    note: 'يتيح الرمز لبرنامج أن يستخدم حسابك بلا كلمة مرورك. أعطِ كل برنامج رمزًا خاصًا به.',
    empty: 'لا توجد رموز API بعد.',
    make: 'رمز جديد',
    scopes: {
      'images:upload': 'رفع الصور',
      'images:read': 'عرض الصور والبحث فيها',
      'images:write': 'تسمية الصور ووصفها، وتغيير روابطها',
      'images:delete': 'حذف الصور',
      'originals:read': 'تنزيل الأصول، وفيها مكان التقاطها',
      'albums:read': 'عرض الألبومات',
      'albums:write': 'إنشاء الألبومات وتعديلها وحذفها',
      'albums:share': 'مشاركة الألبومات برابط',
    },
    uploadOnly: 'رفع الصور فقط',
    programs: {
      sharex: `${isolated('ShareX')} (نظام Windows)`,
      flameshot: `${isolated('Flameshot')} (نظام Linux)`,
      ksnip: `برنامج ${isolated('ksnip')}`,
      picgo: `برنامج ${isolated('PicGo')}`,
      curl: `برنامج ${isolated('curl')} (سكربت)`,
      ios: `${isolated('iPhone')} أو ${isolated('iPad')} (الاختصارات)`,
      cli: 'سطر الأوامر',
    },
    facts: {
      start: 'يبدأ بـ',
      album: 'في هذا الألبوم فقط:',
      oneAlbum: 'في ألبوم واحد فقط',
      created: 'تاريخ الإنشاء:',
      expires: 'ينتهي في:',
      never: 'لا ينتهي',
      imagesExpire: (duration) => `مدة بقاء صوره: ${duration}`,
      used: 'آخر استخدام:',
      unused: 'لم يُستخدم بعد',
      by: (program) => `بواسطة \u2068${program}\u2069`,
    },
    form: {
      title: 'رمز جديد',
      name: 'الاسم',
      nameHint: 'مثل اسم البرنامج والجهاز.',
      may: 'ما يمكن للرمز فعله',
      choose: 'اختيار ما يمكنه فعله',
      chooseOne: 'اختر واحدًا على الأقل.',
      program: 'البرنامج',
      programHint: 'تحصل على ملف يُعدّ هذا البرنامج.',
      noProgram: 'بلا برنامج',
      album: 'الألبوم',
      albumHint: 'إذا اخترت ألبومًا، فلا يصل الرمز إلى شيء خارجه.',
      everything: 'جميع الصور والألبومات',
      albumsFailed: 'تعذّر تحميل ألبوماتك.',
      expires: 'مدة الصلاحية',
      imagesExpire: 'مدة بقاء الصور',
      imagesExpireHint: 'تُحذف الصور المرفوعة بهذا الرمز بعد هذه المدة.',
      lifetimes: {
        '1h': 'ساعة واحدة',
        '1d': 'يوم واحد',
        '7d': '٧ أيام',
        '30d': '٣٠ يومًا',
        '90d': '٩٠ يومًا',
        '1y': 'سنة واحدة',
        never: 'بلا نهاية',
      },
      create: 'إنشاء الرمز',
      cancel: 'إلغاء',
      failed: 'تعذّر إنشاء الرمز.',
    },
    made: {
      title: (name) => `أُنشئ الرمز «\u2068${name}\u2069»`,
      once: 'انسخ الرمز الآن، فلن تتمكن من رؤيته مرة أخرى.',
      onceWithFile: 'انسخ الرمز أو نزّل الملف الآن، فلن تتمكن من رؤيتهما مرة أخرى.',
      secret: 'الرمز',
      copy: 'نسخ',
      copied: 'تم النسخ!',
      copyRefused: 'تعذّر النسخ: منع المتصفح الوصول إلى الحافظة',
      copyByHand: 'الرمز محدَّد. انسخه بنفسك.',
      download: (filename) => `تنزيل ${isolated(filename)}`,
      done: 'تم',
      how: {
        sharex: 'افتح الملف ببرنامج ShareX، ووافق على أن يصبح أداة الرفع النشطة.',
        flameshot: 'اجعل الملف قابلًا للتنفيذ، واربطه بمفتاح في إعدادات لوحة المفاتيح.',
        ksnip: 'اجعل الملف قابلًا للتنفيذ، واختره في ksnip ضمن Script Uploader. والإعدادات مذكورة في الملف.',
        picgo: 'ثبّت الإضافة web-uploader في PicGo. ثم انسخ هذه الإعدادات إلى ملف إعداداته.',
        curl: 'اجعل الملف قابلًا للتنفيذ. شغّله مع الصور المراد رفعها، فيعرض روابطها.',
        ios: 'أنشئ الاختصار على iPhone أو iPad بهذه الخطوات.',
        cli: 'نزّل أيضًا برنامج سطر الأوامر. حمّل الإعدادات في الصدفة، ثم شغّل البرنامج باستخدام Node.',
      },
    },
    end: 'إنهاء',
    endNamed: (name) => `إنهاء \u2068${name}\u2069`,
    confirmEnd: {
      title: 'هل تريد إنهاء هذا الرمز؟',
      text: (name) => `يتوقف «\u2068${name}\u2069» عن العمل فورًا. لا يمكن التراجع عن ذلك.`,
      yes: 'إنهاء الرمز',
      cancel: 'إلغاء',
    },
    ended: 'أُنهي الرمز',
    endFailed: 'تعذّر إنهاء الرمز.',
  },
};

/** The page speaks as the reader does, and so do the mails that follow from it. */
export const mailLanguage = (): 'en' | 'ar' => (document.documentElement.lang === 'ar' ? 'ar' : 'en');

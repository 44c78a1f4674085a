/** The language of mails that the server sends for an action on this page. */
export const mailLanguage = (): 'en' | 'ar' => (document.documentElement.lang === 'ar' ? 'ar' : 'en');

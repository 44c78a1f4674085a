import { chooseLanguage, languageAfter, nameOf, useLanguage } from '../text/language.ts';
import { texts } from '../text/shell.ts';
import { showError } from '../ui/toast.tsx';

/** The next language, its own name, and a function that switches to it. */
export function useNextLanguage(): { code: string; name: string; choose: () => void } {
  const code = languageAfter(useLanguage());
  const choose = (): void => {
    chooseLanguage(code).catch(() => showError(texts.languageFailed));
  };
  return { code, name: nameOf(code), choose };
}

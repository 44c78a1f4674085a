import { chooseLanguage, languageAfter, nameOf, useLanguage } from '../text/language.ts';
import { shell as texts } from '../text/words.ts';
import { showError } from '../ui/toasts/toast.ts';

/** The next language, its own name, and a function that switches to it. */
export function useNextLanguage(): { code: string; name: string; choose: () => void } {
  const code = languageAfter(useLanguage());
  const choose = (): void => {
    chooseLanguage(code).catch(() => showError(texts.languageFailed));
  };
  return { code, name: nameOf(code), choose };
}

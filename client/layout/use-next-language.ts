import { chooseLanguage, languageAfter, nameOf, useLanguage } from '../text/language.ts';
import { texts } from '../text/shell.ts';
import { showError } from '../ui/toast.tsx';

/** The language that the switch leads to, its name in its own words, and the switch. */
export function useNextLanguage(): { code: string; name: string; choose: () => void } {
  const code = languageAfter(useLanguage());
  const choose = (): void => {
    chooseLanguage(code).catch(() => showError(texts.languageFailed));
  };
  return { code, name: nameOf(code), choose };
}

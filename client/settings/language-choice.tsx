import { chooseLanguage, languages, nameOf, useLanguage } from '../text/language.ts';
import { shell, settings as texts } from '../text/words.ts';
import { showError } from '../ui/toasts/toast.ts';
import styles from './language-choice.module.css';

/** Chooses the language, applied at once. */
export function LanguageChoice() {
  const language = useLanguage();
  const choose = (code: string) => chooseLanguage(code).catch(() => showError(shell.languageFailed));
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.title}>{texts.language.title}</legend>
      {languages.map((code) => (
        <label key={code} className={styles.one} lang={code}>
          <input type="radio" name="language" checked={code === language} onChange={() => choose(code)} />
          {nameOf(code)}
        </label>
      ))}
    </fieldset>
  );
}

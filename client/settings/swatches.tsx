import { chooseTheme, type Theme, useTheme } from '../lib/theme.ts';
import { shell } from '../text/words.ts';
import styles from './swatches.module.css';

const themes: readonly Theme[] = ['system', 'light', 'dark'];

/** Chooses the theme, applied at once. */
export function Swatches({ label }: { label: string }) {
  const [theme] = useTheme();
  return (
    <fieldset className={styles.swatches}>
      <legend className="visually-hidden">{label}</legend>
      {themes.map((one) => (
        <label key={one} className={styles.swatch}>
          <input type="radio" name="theme" checked={one === theme} onChange={() => chooseTheme(one)} />
          <i data-theme-shown={one} />
          {shell.themeNames[one]}
        </label>
      ))}
    </fieldset>
  );
}

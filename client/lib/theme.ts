import { afterPaint } from './after-paint.ts';
import { storedChoice, useStoredChoice } from './stored-choice.ts';

export type Theme = 'system' | 'light' | 'dark';

const choice = storedChoice('theme', ['light', 'dark'] as const);
const after = { system: 'light', light: 'dark', dark: 'system' } as const;

let chosen: Theme;

function applyTheme(): void {
  if (chosen === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}

/** The pressed control changes at once; the page follows after the next paint, because it restyles every element. */
export function chooseTheme(theme: Theme): void {
  chosen = theme;
  choice.set(theme === 'system' ? null : theme);
  afterPaint(applyTheme);
}

/** The theme, and a function that switches in order: system, light, dark. boot.js applies the stored one before the first paint. */
export function useTheme(): [Theme, () => void] {
  const theme: Theme = useStoredChoice(choice) ?? 'system';
  return [theme, () => chooseTheme(after[theme])];
}

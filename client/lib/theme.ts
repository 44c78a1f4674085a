import { storedChoice, useStoredChoice } from './stored-choice.ts';

export type Theme = 'system' | 'light' | 'dark';

const choice = storedChoice('theme', ['light', 'dark'] as const);
const after = { system: 'light', light: 'dark', dark: 'system' } as const;

export function chooseTheme(theme: Theme): void {
  choice.set(theme === 'system' ? null : theme);
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** The theme and what moves it on: system, light, dark, system. boot.js applies the stored one before the first paint. */
export function useTheme(): [Theme, () => void] {
  const theme: Theme = useStoredChoice(choice) ?? 'system';
  return [theme, () => chooseTheme(after[theme])];
}

import { storedChoice, useStoredChoice } from './stored-choice.ts';

export type Theme = 'system' | 'light' | 'dark';

const choice = storedChoice('theme', ['light', 'dark'] as const);
const after = { system: 'light', light: 'dark', dark: 'system' } as const;

/** The theme and what moves it on: system, light, dark, system. boot.js applies the stored one before the first paint. */
export function useTheme(): [Theme, () => void] {
  const theme: Theme = useStoredChoice(choice) ?? 'system';
  function cycle() {
    const next = after[theme];
    choice.set(next === 'system' ? null : next);
    if (next === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
  }
  return [theme, cycle];
}

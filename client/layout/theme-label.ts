import { Moon, Sun, SunMoon } from 'lucide-react';
import { type Theme, useTheme } from '../lib/theme.ts';
import { shell as texts } from '../text/words.ts';

export const themeIcons = { system: SunMoon, light: Sun, dark: Moon };

/** The theme, its label ("Theme: Dark"), and a function that switches to the next one. */
export function useThemeLabel(): [Theme, string, () => void] {
  const [theme, cycle] = useTheme();
  return [theme, texts.themeIs(texts.themeNames[theme]), cycle];
}

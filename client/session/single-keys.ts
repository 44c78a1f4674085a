/** The switch that turns single-key shortcuts off (WCAG 2.1.4). It belongs to the browser, and survives a logout. */
import { isSingleKey } from '../lib/keyboard.ts';
import { storedChoice, useStoredChoice } from '../lib/stored-choice.ts';

const choice = storedChoice('single-keys', ['off'] as const);

export const singleKeys = {
  set: (on: boolean): void => choice.set(on ? null : 'off'),
  /** Whether a key press must do nothing. */
  ignores: (event: Parameters<typeof isSingleKey>[0]): boolean => isSingleKey(event) && choice.get() === 'off',
};

export const useSingleKeys = (): boolean => useStoredChoice(choice) !== 'off';

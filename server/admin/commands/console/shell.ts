import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../../../config/config.ts';
import { type Admin, type AdminOptions, openAdmin } from '../context.ts';
import { Interrupted } from './failures.ts';

/** What every command is handed. */
export type Shell = {
  /** @throws ConfigError for a variable that is wrong */
  config(): Config;
  /** A path as the administrator gave it, from where the administrator stands. */
  path(text: string): string;
  /** Aborted when the administrator breaks the command off. */
  signal: AbortSignal;
  /** Opens the surroundings for the time of the work. Broken off, it closes them under the work's feet. */
  withAdmin<T>(
    work: (admin: Admin) => Promise<T>,
    options?: Pick<AdminOptions, 'anySchema' | 'withoutKeys'>,
  ): Promise<T>;
};

/** Adds one command, or a group of them, to the program. */
export type AddCommand = (program: Command, shell: Shell) => void;

/** @param folder where the call was made, which npm leaves for the program's own */
export function createShell(config: () => Config, signal: AbortSignal, folder = ''): Shell {
  return {
    config,
    path: (text) => resolve(folder, text),
    signal,
    async withAdmin(work, options) {
      const admin = await openAdmin(config(), { ...options, signal, note: (text) => console.error(text) });
      try {
        // Broken off while the database was started: nothing is begun any more.
        if (signal.aborted) throw new Interrupted();
        return await Promise.race([work(admin), brokenOff(signal)]);
      } finally {
        await admin.close();
      }
    },
  };
}

function brokenOff(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(new Interrupted());
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
}

import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../../../config/config.ts';
import { type Admin, type AdminOptions, openAdmin } from '../context.ts';
import { Interrupted } from './failures.ts';

export type Shell = {
  /** @throws ConfigError for an invalid variable */
  config(): Config;
  /** Resolves a path against the administrator's working directory. */
  path(text: string): string;
  /** Aborted when the administrator interrupts the command. */
  signal: AbortSignal;
  /** Opens the command context for the work. On an interrupt it closes the context while the work still runs. */
  withAdmin<T>(
    work: (admin: Admin) => Promise<T>,
    options?: Pick<AdminOptions, 'anySchema' | 'withoutKeys'>,
  ): Promise<T>;
};

export type AddCommand = (program: Command, shell: Shell) => void;

/** @param folder working directory of the call; npm changes to the program's own */
export function createShell(config: () => Config, signal: AbortSignal, folder = ''): Shell {
  return {
    config,
    path: (text) => resolve(folder, text),
    signal,
    async withAdmin(work, options) {
      const admin = await openAdmin(config(), { ...options, signal, note: (text) => console.error(text) });
      try {
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

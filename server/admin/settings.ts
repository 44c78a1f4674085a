/** The settings of the server as they are. Secrets are masked. */
import { type Config, usuallySlow, variables } from '../config/config.ts';
import { nameOf } from '../config/reading.ts';
import type { Setting } from '../contract.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const MASK = '••••••••';

/** What the server uses where a variable without a default is not set. */
const usual: Partial<Config> = { slowQuery: usuallySlow, oidcButton: 'Log in with single sign-on' };

function textOf(value: unknown): string | null {
  if (value === undefined) return null;
  if (value === Number.POSITIVE_INFINITY) return 'off';
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'object' && value !== null ? Object.values(value).join('=') : String(value);
}

/** Of a value that is a bare number. */
function unitOf({ form }: { form: string }): Setting['unit'] {
  if (form.startsWith('a size')) return 'bytes';
  return form.startsWith('a time') ? 'milliseconds' : null;
}

/** @param environment only to see where a value comes from */
export function settingsOf(config: Config, environment: Environment): Setting[] {
  return Object.entries(variables).map(([key, variable]) => {
    const { secret = false } = variable;
    const name = nameOf(key);
    const value = config[key as keyof Config] ?? usual[key as keyof Config];
    const isSet = value !== undefined && !(Array.isArray(value) && value.length === 0);
    const source = environment[`${name}_FILE`] ? 'file' : environment[name] ? 'environment' : 'default';
    const text = secret && isSet ? MASK : isSet ? textOf(value) : null;
    return { name, value: text, unit: unitOf(variable), secret, source };
  });
}

import { checkDatabase, checkMail, checkProvider, checkStorage, checkUser } from './checks.ts';
import { type Config, variables } from './config.ts';
import { type Environment, nameOf, readVariable, type Variable } from './reading.ts';

/** @param environment like `process.env` @throws ConfigError for the first wrong variable */
export function readConfig(environment: Environment): Config {
  checkUser(environment);
  const entries = Object.entries(variables).map(([key, form]) => [
    key,
    readVariable(nameOf(key), form as Variable<unknown>, environment),
  ]);
  const config = Object.freeze(Object.fromEntries(entries)) as Config;
  checkMail(config);
  checkDatabase(config);
  checkStorage(config);
  checkProvider(config);
  return config;
}

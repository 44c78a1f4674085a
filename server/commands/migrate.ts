/** Brings the database's tables up to date and ends: for administrators who migrate before they start a new version. */
import { readConfig } from '../config.ts';
import { openDatabase } from '../database/open.ts';
import { messageOf } from '../database/start-error.ts';

const logger = { info: () => {}, error: (_details: object, message: string) => console.error(message) };

try {
  const { dataDir, databaseUrl } = readConfig(process.env);
  const { close } = await openDatabase({ dataDir, databaseUrl, logger, poolSize: 1 });
  await close();
  console.log('The database is up to date.');
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}

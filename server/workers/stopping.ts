/** The end of a server, within a time that supervisors can count on. */
import type { FastifyInstance } from 'fastify';

/**
 * Milliseconds from the signal to the end of the process, whatever hangs: 8 s for what is in flight, the rest for what closes
 * behind it. Below the 20 s after which the primary kills its workers, and the 30 s of docker-compose.yml.
 */
const bound = 18_000;

/** @returns the exit code: 1 where something failed, or did not end in time and is reported */
export async function stopServer(app: FastifyInstance, within = bound): Promise<0 | 1> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<1>((resolve) => {
    timer = setTimeout(() => {
      app.log.error({ hanging: app.ending() }, `the stop took more than ${within / 1000} s: what is left is cut`);
      resolve(1);
    }, within);
  });
  return Promise.race([stop(app), late]).finally(() => clearTimeout(timer));
}

async function stop(app: FastifyInstance): Promise<0 | 1> {
  try {
    await app.drain(true);
    await app.close();
    return 0;
  } catch (err) {
    app.log.error({ err }, 'the stop failed');
    return 1;
  }
}

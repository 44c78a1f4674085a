import type { FastifyInstance } from 'fastify';

/**
 * Milliseconds from the signal to the exit: 8 s for requests in flight, the rest for closing. Less than the 20 s after which
 * the primary kills its workers, and the 30 s of docker-compose.yml.
 */
const bound = 18_000;

/** @returns the exit code: 1 if closing failed or took too long */
export async function stopServer(app: FastifyInstance, within = bound): Promise<0 | 1> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<1>((resolve) => {
    timer = setTimeout(() => {
      app.log.error(
        { hanging: app.shutdown.waitingFor() },
        `the stop took more than ${within / 1000} s: what is left is cut`,
      );
      resolve(1);
    }, within);
  });
  return Promise.race([stop(app), late]).finally(() => clearTimeout(timer));
}

async function stop(app: FastifyInstance): Promise<0 | 1> {
  try {
    await app.shutdown.drain(true);
    await app.close();
    return 0;
  } catch (err) {
    app.log.error({ err }, 'the stop failed');
    return 1;
  }
}

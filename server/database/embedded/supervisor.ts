import type { Log } from '../log.ts';
import { messageOf } from '../start-error.ts';
import { oneLine } from './launcher.ts';
import { endChild, hasExited, type Postmaster, type StartParameters, startPostmaster } from './postmaster.ts';

export type KeptPostgres = { stop(): Promise<void> };

/** Shorter than the pauses of crashed servers (workers/restart-pauses.ts): every request fails until Postgres is back. */
const MAX_PAUSE = 5000;

/** Starts Postgres and restarts it whenever it exits. @param onWait called when its process exists */
export async function keepPostgresRunning(
  parameters: StartParameters,
  log: Log,
  onWait: () => void,
): Promise<KeptPostgres> {
  let current: Postmaster = await startPostmaster(parameters, onWait);
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let restarting: Promise<void> | undefined;

  const onExit = (code: number | null, name: string | null) => {
    if (stopping) return;
    log.error({ code, signal: name, tail: oneLine(current.log.tail()) }, 'the embedded Postgres exited; restarting it');
    current.log.close();
    restart(0);
  };

  const watch = () => {
    const { child } = current;
    if (hasExited(child)) onExit(child.exitCode, child.signalCode);
    else child.once('exit', onExit);
  };

  const restart = (pause: number) => {
    timer = setTimeout(() => {
      restarting = restartAfter(pause);
    }, pause);
  };

  const restartAfter = async (pause: number) => {
    try {
      current = await startPostmaster(parameters);
      watch();
      log.info('the embedded Postgres serves again');
    } catch (error) {
      log.error({}, messageOf(error));
      if (!stopping) restart(Math.min(Math.max(pause * 2, 100), MAX_PAUSE));
    }
  };

  watch();

  const stop = async () => {
    stopping = true;
    clearTimeout(timer);
    await restarting;
    await endChild(current.child, parameters.binaries);
    current.log.close();
  };
  return { stop };
}

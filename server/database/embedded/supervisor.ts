import type { Log } from '../log.ts';
import { messageOf } from '../start-error.ts';
import { oneLine } from './launcher.ts';
import { endChild, hasEnded, type Place, type Postmaster, startPostmaster } from './postmaster.ts';

export type Supervised = { stop(): Promise<void> };

const LONGEST_PAUSE = 5000;

/** Starts Postgres and restarts it whenever it exits. @param onWait called when its process exists */
export async function supervise(place: Place, log: Log, onWait: () => void): Promise<Supervised> {
  let current: Postmaster = await startPostmaster(place, onWait);
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let restarting: Promise<void> | undefined;

  const ended = (code: number | null, name: string | null) => {
    if (stopping) return;
    log.error({ code, signal: name, tail: oneLine(current.log.tail()) }, 'the embedded Postgres exited; restarting it');
    current.log.close();
    restart(0);
  };

  const watch = () => {
    const { child } = current;
    if (hasEnded(child)) ended(child.exitCode, child.signalCode);
    else child.once('exit', ended);
  };

  const restart = (pause: number) => {
    timer = setTimeout(() => {
      restarting = again(pause);
    }, pause);
  };

  const again = async (pause: number) => {
    try {
      current = await startPostmaster(place);
      watch();
      log.info('the embedded Postgres serves again');
    } catch (error) {
      log.error({}, messageOf(error));
      if (!stopping) restart(Math.min(Math.max(pause * 2, 100), LONGEST_PAUSE));
    }
  };

  watch();

  const stop = async () => {
    stopping = true;
    clearTimeout(timer);
    await restarting;
    await endChild(current.child, place.binaries);
    current.log.close();
  };
  return { stop };
}

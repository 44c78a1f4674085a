import { Counter, Gauge, type Registry } from 'prom-client';
import { LEVELS, type Level } from '../../decoder/cage/launch.ts';
import type { DecoderMeter } from '../decode-listener.ts';

/** `asked`: a client waits for the picture. `behind`: background renditions. */
export type Pool = 'asked' | 'behind';

type DecoderMeters = { pools: Record<Pool, DecoderMeter>; onIsolation: (level: Level) => void };

export function decoderMeters(registry: Registry): DecoderMeters {
  const registers = [registry];
  const killed = new Counter({
    name: 'gallery_decoder_killed_total',
    help: 'Decoders that ended while decoding: time, memory, shortage (the machine had no memory left) or crash.',
    labelNames: ['pool', 'reason'],
    registers,
  });
  const meterOf = (pool: Pool): DecoderMeter => ({
    waiting: 0,
    running: 0,
    onKilled: (reason) => killed.inc({ pool, reason }),
  });
  const meters = { asked: meterOf('asked'), behind: meterOf('behind') };
  new Gauge({
    name: 'gallery_decoder_pictures',
    help: 'Pictures that are being decoded (running), or wait for a decoder (waiting).',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { waiting, running }] of Object.entries(meters)) {
        this.set({ pool, state: 'waiting' }, waiting);
        this.set({ pool, state: 'running' }, running);
      }
    },
  });
  const isolation = new Gauge({
    name: 'gallery_decoder_isolation',
    help: '1 for the level at which decoders are isolated, 0 for the others.',
    labelNames: ['level'],
    // Workers report the same level, or one has less isolation.
    aggregator: 'max',
    registers,
  });
  const onIsolation = (chosen: Level) => {
    for (const level of LEVELS) isolation.set({ level }, level === chosen ? 1 : 0);
  };
  return { pools: meters, onIsolation };
}

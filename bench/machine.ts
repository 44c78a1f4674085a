/** Describes the machine of a figure and its other load, so that readers can judge the figure. */
import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import sharp from 'sharp';
import { versionOf } from './tools/tools.ts';

export function describeMachine() {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
    kernel: `${process.platform} ${release()}`,
    node: process.versions.node,
    sharp: sharp.versions.sharp,
    libvips: sharp.versions.vips,
    libvipsTools: versionOf('vipsthumbnail'),
    postgres: versionOf('postgres'),
    nginx: versionOf('nginx'),
    chromium: versionOf('chromium'),
  };
}

type Ticks = { total: number; idle: number; stolen: number };

/** The first line of /proc/stat: user nice system idle iowait irq softirq steal. */
function readTicks(): Ticks {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'latin1').split('\n');
    const fields = line.trim().split(/\s+/).slice(1, 9).map(Number);
    const [, , , idle = 0, waiting = 0, , , stolen = 0] = fields;
    return { total: fields.reduce((sum, each) => sum + each, 0), idle: idle + waiting, stolen };
  } catch {
    return { total: 0, idle: 0, stolen: 0 };
  }
}

/** Watches the processors: the shares of time stolen by the host and idle, and the load before the bench. */
export function watchMachine() {
  const start = readTicks();
  const [loadBefore = 0] = loadavg();
  return () => {
    const end = readTicks();
    const total = Math.max(1, end.total - start.total);
    const share = (key: 'idle' | 'stolen') => Number(((end[key] - start[key]) / total).toFixed(3));
    return { loadBefore: Number(loadBefore.toFixed(2)), stolen: share('stolen'), idle: share('idle') };
  };
}

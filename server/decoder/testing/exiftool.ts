/** An independent metadata reader: what it finds, the redaction has missed. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

export const noExiftool = spawnSync('exiftool', ['-ver']).status === 0 ? false : 'exiftool is not installed here';

/** Names of tags with a location or serial number. */
const TELLING =
  /GPS|Serial|Location|City$|Country|Province|State$|Latitude|Longitude|Position$|Altitude|Geo[TKPD]|RelativeLocation|Coordinates|ModelTi/i;
const HARMLESS =
  /GlobalAltitude|YCbCrPositioning|SubjectLocation|ISOSpeedLatitude|ColorSpace|Opacity|PreviewImage|(?:Focus|Flash|Shadow|Thumbnail|Profile|Sample|Print)\w*Position|(?:Sensitivity|MPImage|Sensor)/;

type Tag = { group: string; name: string; value: string };

/** The tags that exiftool reads from each picture, including embedded ones, by the picture's key. */
export async function readTags(pictures: Map<string, Buffer>): Promise<Map<string, Tag[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'exiftool-'));
  try {
    const keys = [...pictures.keys()];
    const paths = keys.map((key, index) => join(folder, `${index}${/\.\w+$/.exec(key)?.[0] ?? ''}`));
    await Promise.all(keys.map((key, index) => writeFile(paths[index] ?? '', pictures.get(key) ?? '')));
    const tool = spawn('exiftool', ['-a', '-u', '-G1', '-ee', '-s', '-m', ...paths], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return byPicture(await linesOf(tool.stdout), keys, paths);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Lines, truncated: exiftool prints bombs as lines of many megabytes. */
async function linesOf(output: Readable): Promise<string[]> {
  const lines: string[] = [''];
  for await (const chunk of output.setEncoding('latin1') as AsyncIterable<string>) {
    const [rest = '', ...others] = chunk.split('\n');
    lines.push(((lines.pop() ?? '') + rest).slice(0, 500), ...others.map((line) => line.slice(0, 500)));
  }
  return lines;
}

function byPicture(lines: string[], keys: string[], paths: string[]): Map<string, Tag[]> {
  const read = new Map<string, Tag[]>(keys.map((key) => [key, []]));
  let current = paths.length === 1 ? keys[0] : undefined;
  for (const line of lines) {
    if (line.startsWith('======== ')) current = keys[paths.indexOf(line.slice(9))];
    const [, group, name, value] = /^\[([^\]]*)\]\s+(\S+)\s*: (.*)$/.exec(line) ?? [];
    if (current === undefined || group === undefined) continue;
    read.get(current)?.push({ group, name: name ?? '', value: value ?? '' });
  }
  return read;
}

export const telling = (tags: readonly Tag[] | undefined) =>
  (tags ?? [])
    .filter(({ group, name }) => group !== 'System' && TELLING.test(name) && !HARMLESS.test(name))
    .map(({ group, name, value }) => `${group}:${name} = ${value}`);

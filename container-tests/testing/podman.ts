/** Commands of the engine that scripts/testing/containers/ has prepared. */
import { spawn } from 'node:child_process';

export type Result = { code: number; output: string; errors: string };

export function runProgram(
  program: string,
  words: readonly string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
) {
  const child = spawn(program, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const result = { output: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    result.output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    result.errors += text;
  });
  return new Promise<Result>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, ...result }));
  });
}

export const tryPodman = (...words: string[]): Promise<Result> => runProgram('podman', words);

/** @returns what the command printed @throws unless it ended with 0 */
export async function podman(...words: string[]): Promise<string> {
  const { code, output, errors } = await tryPodman(...words);
  if (code !== 0) throw new Error(`podman ${words.join(' ')} ended with ${code}: ${errors || output}`);
  return output.trim();
}

/** The image that this run built. */
export const image = process.env.GALLERY_IMAGE ?? '';
if (!image) throw new Error('Run this test with "npm run test:container": it needs an image.');

/** Whether the long tests run too: `npm run test:container -- --full`. */
export const full = process.env.GALLERY_TRUST_FULL === '1';
export const unlessFull = full ? false : 'only with --full';

import { spawn } from 'node:child_process';

/**
 * Runs a program to its end.
 * @returns {Promise<string>} what it printed
 * @throws {Error} with the last lines of its output
 */
export async function run(program, words, { env = {}, cwd } = {}) {
  const child = spawn(program, words, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = [];
  const all = [];
  child.stdout.on('data', (chunk) => printed.push(chunk) && all.push(chunk));
  child.stderr.on('data', (chunk) => all.push(chunk));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code === 0) return Buffer.concat(printed).toString().trim();
  const end = Buffer.concat(all).toString().trim().split('\n').slice(-12).join('\n');
  throw new Error(`${program} ${words.slice(0, 4).join(' ')} ended with ${code}: ${end}`);
}

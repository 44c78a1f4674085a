import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Programs that copy their standard input, for the desktop in use. */
function programs(): string[][] {
  if (process.platform === 'darwin') return [['pbcopy']];
  if (process.platform === 'win32') return [['clip']];
  return [
    ...(process.env.WAYLAND_DISPLAY ? [['wl-copy']] : []),
    ...(process.env.DISPLAY
      ? [
          ['xclip', '-selection', 'clipboard'],
          ['xsel', '--clipboard', '--input'],
        ]
      : []),
  ];
}

async function pipeInto([program = '', ...args]: string[], text: string): Promise<boolean> {
  // Output is ignored: wl-copy and xclip stay in the background and would keep a pipe open.
  const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.on('error', () => undefined).end(text);
  return once(child, 'exit').then(
    ([code]) => code === 0,
    () => false,
  );
}

/** @returns false if there is no clipboard, as on a server */
export async function copyText(text: string): Promise<boolean> {
  for (const program of programs()) if (await pipeInto(program, text)) return true;
  return false;
}

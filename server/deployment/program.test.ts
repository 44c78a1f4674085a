/** The shipped program, bundled into a few files. */
import { readdir, readFile } from 'node:fs/promises';
import t from 'tap';

// From build/server/deployment; the bundled program is in a folder beside it.
const program = new URL('../../program/', import.meta.url);

t.test('files that the program starts by path exist', async (t) => {
  const files = await readdir(program);
  const texts = await Promise.all(
    files.filter((name) => name.endsWith('.js')).map((name) => readFile(new URL(name, program), 'utf8')),
  );
  const started = texts.flatMap((text) => [
    ...text.matchAll(/new URL\(["'`]\.\/([\w-]+\.js)["'`], import\.meta\.url\)/g),
  ]);
  const names = new Set(started.map(([, name]) => name ?? ''));
  t.ok(names.has('worker.js'));
  for (const name of ['main.js', 'supervisor.js', 'admin.js']) t.ok(files.includes(name), name);
  for (const name of names) t.ok(files.includes(name), name);
});

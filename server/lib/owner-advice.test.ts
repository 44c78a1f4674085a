import { chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { ownerAdvice } from './owner-advice.ts';

const [uid, gid] = [process.getuid?.() ?? -1, process.getgid?.() ?? -1];

t.test('a folder of another user names both ids and the commands', { skip: uid !== 0 && 'only root' }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'owner-'));
  chownSync(folder, 568, 569);
  const advice = ownerAdvice(join(folder, 'not', 'made'), 'EACCES');
  t.match(advice, `${folder} belongs to user 568:569 and the server runs as ${uid}:${gid}`);
  t.match(advice, `chown -R ${uid}:${gid}`);
  t.match(advice, '--user 568:569');
});

t.test('the advice for a folder of root is to give it away', { skip: uid === 0 && 'not as root' }, async (t) => {
  const advice = ownerAdvice('/root/gallery', 'EACCES');
  t.match(advice, `belongs to user 0:0 and the server runs as ${uid}:${gid}. Run "chown -R ${uid}:${gid}"`);
  t.notMatch(advice, '--user');
});

t.test('other reasons and own folders get no advice', async (t) => {
  t.equal(ownerAdvice('/', 'EROFS'), '');
  t.equal(ownerAdvice(mkdtempSync(join(tmpdir(), 'owner-')), 'EACCES'), '');
});

import { abuse } from '../../testing/abuse.ts';
import { newAccount, randomCredentials } from '../../testing/account.ts';
import { asJson, call, refused } from '../../testing/call.ts';
import { serve } from '../../testing/machine/loopback.ts';

abuse('A8', 'a name that looks like a taken one cannot be registered', async (t) => {
  const { origin, sql } = await serve(t);
  const taken = { ...randomCredentials(), username: 'Stéphane.Weiß', email: 'Stephane@Example.com' };
  await newAccount(origin, taken);
  const register = (changes: object) =>
    call(origin, '/api/auth/register', asJson({ ...randomCredentials(), ...changes }));

  const names: Record<string, string> = {
    'the same': 'Stéphane.Weiß',
    'another case': 'STÉPHANE.WEISS',
    'another case, decomposed': 'stéphane.weiß'.normalize('NFD'),
    decomposed: 'Stéphane.Weiß'.normalize('NFD'),
    'full width': 'Ｓtéphane.Weiß',
    'a capital sharp s': 'Stéphane.Weiẞ',
  };
  for (const [about, username] of Object.entries(names)) refused(t, await register({ username }), 409, about);

  const hidden: Record<string, string> = {
    'a zero-width space': 'Stéphane\u200b.Weiß',
    'a zero-width joiner': 'Stéphane\u200d.Weiß',
    'a word joiner': '\u2060Stéphane.Weiß',
    'a byte order mark': '\ufeffStéphane.Weiß',
    'an override of direction': '\u202eStéphane.Weiß',
    'a soft hyphen': 'Sté\u00adphane.Weiß',
    'a space behind': 'Stéphane.Weiß ',
    'a NUL behind': 'Stéphane.Weiß\0',
    'a combining mark in front': '\u0301Stéphane',
  };
  for (const [about, username] of Object.entries(hidden)) refused(t, await register({ username }), [400, 409], about);

  const emails = ['stephane@example.com', 'STEPHANE@EXAMPLE.COM', 'Stephane@example.COM'];
  for (const email of emails) refused(t, await register({ email }), 409, email);
  for (const email of [
    'stephane\u200b@example.com',
    'stephane@example.com\0',
    ' stephane@example.com',
    'stephane@example.com\n',
  ])
    refused(t, await register({ email }), [400, 409], JSON.stringify(email));

  t.equal((await sql('select id from users')).length, 1, 'only one user exists');
});

import type { Profile, ProfileSource } from './profile.ts';
import { aboutScript, scriptProfile, uploadFunction } from './shell.ts';

const SETTINGS = [
  'Uploads a screenshot of ksnip. In ksnip, open Options > Settings > Uploader.',
  '  Uploader Type: Script',
  'Then open Script Uploader below it.',
  '  Stop when upload script writes to StdErr: on',
  '  Copy script output to clipboard: on',
  '  Filter: https?://\\S+',
  '  Script: this file',
];

const MAIN = `\
[ $# -eq 1 ] || { printf 'Usage: %s FILE\\n' "$0" >&2; exit 2; }
command -v curl >/dev/null || { echo 'Install curl.' >&2; exit 2; }

if result=$(upload "$1"); then
  printf '%s\\n' "$result"
else
  printf '%s\\n' "$result" >&2
  exit 1
fi`;

/** A script for the script uploader of ksnip: it gets a file, prints the link, and writes to stderr if it fails. */
export const ksnipProfile = (source: ProfileSource): Profile =>
  scriptProfile('gallery-ksnip.sh', aboutScript(source, ...SETTINGS), uploadFunction(source), MAIN);

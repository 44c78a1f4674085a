import type { Profile, ProfileSource } from './profile.ts';
import { aboutScript, scriptProfile, uploadFunction } from './shell.ts';

const MAIN = `\
[ $# -gt 0 ] || { printf 'Usage: %s FILE...\\n' "$0" >&2; exit 2; }
command -v curl >/dev/null || { echo 'Install curl.' >&2; exit 2; }

status=0
for file; do
  if result=$(upload "$file"); then
    printf '%s\\n' "$result"
  else
    printf '%s: %s\\n' "$file" "$result" >&2
    status=1
  fi
done
exit $status`;

/** A script that uploads files and prints their links. */
export const curlProfile = (source: ProfileSource): Profile =>
  scriptProfile(
    'gallery-upload.sh',
    aboutScript(source, 'Uploads pictures and prints their links: gallery-upload.sh FILE...'),
    uploadFunction(source),
    MAIN,
  );

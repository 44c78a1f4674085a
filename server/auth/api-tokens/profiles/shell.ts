/** Parts of the shell scripts. They run in any POSIX shell, and need curl and sed. */
import { authorization, oneLine, type Profile, type ProfileSource, uploadUrl } from './profile.ts';

/** A text as one word of a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A text as a value in a configuration file of curl. */
const inConfig = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** The first comment of a script. The name of the token is its only text that a person has chosen. */
export const aboutScript = ({ token }: ProfileSource, ...lines: string[]): string =>
  [...lines, `Token: ${oneLine(token.name)}`, 'Keep this file private, because it contains the token: chmod 700']
    .map((line) => `# ${line}`)
    .join('\n');

/**
 * The function `upload FILE`, which prints the link, or prints the reason and fails. curl reads the token from its standard
 * input, because anyone on the computer can read its arguments. An error that concerns no file is answered as JSON.
 */
export const uploadFunction = (source: ProfileSource): string => `\
field() { printf '%s\\n' "$answer" | sed -n 's/.*"'"$1"'":"\\([^"]*\\)".*/\\1/p'; }

upload() {
  [ -e "$1" ] || { echo 'There is no such file.'; return 1; }
  [ ! -d "$1" ] || { echo 'It is a folder.'; return 1; }
  [ -r "$1" ] || { echo 'You may not read it.'; return 1; }
  path=$(printf '%s\\n' "$1" | sed 's/["\\\\]/\\\\&/g')
  if ! answer=$(curl --silent --show-error --config - --form "images=@\\"$path\\"" ${quoted(uploadUrl(source))} 2>&1 <<'END'
header = ${inConfig(`Authorization: ${authorization(source)}`)}
header = "Accept: text/plain"
END
  ); then
    printf '%s\\n' "$answer"
    return 1
  fi
  case $answer in
    http://* | https://*) link=$answer ;;
    '! '*) link='' reason=\${answer#! } ;;
    *) link=$(field url) reason=$(field message) ;;
  esac
  printf '%s\\n' "\${link:-\${reason:-The server sent an unexpected answer.}}"
  [ -n "$link" ]
}`;

export const scriptProfile = (filename: string, ...parts: string[]): Profile => ({
  filename,
  content_type: 'application/x-sh',
  text: `${['#!/bin/sh', parts.join('\n\n')].join('\n')}\n`,
});

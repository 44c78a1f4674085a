import type { Profile, ProfileSource } from './profile.ts';
import { aboutScript, scriptProfile, uploadFunction } from './shell.ts';

const TOOLS = `\
has() { command -v "$1" >/dev/null 2>&1; }

notify() {
  printf '%s: %s\\n' "$1" "$2" >&2
  if has notify-send; then notify-send -- "$1" "$2" || :; fi
}

fail() {
  notify 'Screenshot not uploaded' "$1"
  exit 1
}

for tool in flameshot curl; do
  has "$tool" || fail "Install $tool."
done
if has wl-copy && [ -n "\${WAYLAND_DISPLAY:-}" ]; then
  copy() { wl-copy; }
elif has xclip; then
  copy() { xclip -selection clipboard >/dev/null 2>&1; }
else
  fail 'Install wl-clipboard (Wayland) or xclip (X11).'
fi`;

const MAIN = `\
umask 077
folder=$(mktemp -d "\${XDG_RUNTIME_DIR:-\${TMPDIR:-/tmp}}/screenshot.XXXXXXXXXX") || fail 'No temporary folder could be created.'
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
shot=$folder/$(date +%Y-%m-%d_%H-%M-%S).png

flameshot gui -r >"$shot"
# If you cancel, Flameshot writes nothing or a sentence, and often succeeds.
[ "$(od -An -tx1 -N8 "$shot" | tr -d ' \\n')" = 89504e470d0a1a0a ] || exit 0

result=$(upload "$shot") || fail "$result"
if printf '%s' "$result" | copy; then
  notify 'Screenshot uploaded' "Link copied: $result"
else
  notify 'Screenshot uploaded' "The link could not be copied: $result"
fi`;

/** A script that takes a screenshot with Flameshot, uploads it, and copies the link. */
export const flameshotProfile = (source: ProfileSource): Profile =>
  scriptProfile(
    'gallery-flameshot.sh',
    aboutScript(
      source,
      'Takes a screenshot with Flameshot, uploads it and copies its link.',
      'To use it, assign a key to this file in the keyboard settings of your desktop.',
    ),
    TOOLS,
    uploadFunction(source),
    MAIN,
  );

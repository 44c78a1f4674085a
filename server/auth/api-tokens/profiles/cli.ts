import { oneLine, type Profile, type ProfileSource } from './profile.ts';
import { quoted } from './shell.ts';

/** The variables that the command line client reads. */
export const cliProfile = ({ origin, secret, token }: ProfileSource): Profile => ({
  filename: 'gallery.env',
  content_type: 'text/plain',
  text: `\
# The command line client of the gallery: ${origin}/cli/gallery.mjs
# To use this file: . ./gallery.env && node gallery.mjs login
# Token: ${oneLine(token.name)}
#
# Keep this file private, because it contains the token: chmod 600
export GALLERY_URL=${quoted(origin)}
export GALLERY_TOKEN=${quoted(secret)}
`,
});

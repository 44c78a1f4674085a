/** Builds the public page of an album on its own: in one build, it would change how the app's scripts and styles are divided. */
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { browsers } from '../browsers.ts';

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  plugins: [react({ jsxImportSource: '#jsx' })],
  publicDir: false,
  build: {
    // Beside the app, whose service worker stores only the files in assets/.
    outDir: '../build/client',
    assetsDir: 'assets/album',
    emptyOutDir: false,
    manifest: '.vite/public-album.json',
    sourcemap: false,
    modulePreload: { polyfill: false },
    // The CSP allows no `data:` URLs for scripts and styles.
    assetsInlineLimit: 0,
    rolldownOptions: { input: join(import.meta.dirname, 'album.ts') },
    target: browsers,
  },
});

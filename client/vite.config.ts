import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { boot } from './boot-plugin.ts';
import { languageParts } from './language-parts-plugin.ts';

const server = 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [languageParts(), react(), boot()],
  server: { proxy: { '/api': server, '/i': server, '/a/': server } },
  build: {
    outDir: '../build/client',
    emptyOutDir: true,
    manifest: true,
    sourcemap: false,
    // The browsers below have it themselves.
    modulePreload: { polyfill: false },
    // The page's CSP has no `data:` for scripts and styles, and hashed files are cached for ever anyway.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: {
        index: join(import.meta.dirname, 'index.html'),
        album: join(import.meta.dirname, 'album-page/page.css'),
      },
      output: {
        // The server's own pages name their style; its name has to be known there.
        assetFileNames: ({ names }) => (names.includes('album.css') ? 'album.css' : 'assets/[name]-[hash][extname]'),
        // What every screen begins with is one file, not a handful of a few hundred bytes each. Nothing with styles of its
        // own: they would stand before the order of the layers (styles/layers.css).
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]|client[\\/](?:lib[\\/]browser-storage|api[\\/](?:api-error|auth|client|early-list|images|post-form)|ui[\\/]page-heading)/,
            },
          ],
        },
      },
    },
    // From these on light-dark() is native; compiled away, a subtree could no longer flip by its color-scheme.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
  },
});

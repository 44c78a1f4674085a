import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { boot } from './boot-plugin.ts';

const server = 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), boot()],
  resolve: {
    alias: {
      // React has this hook itself; wouter takes a copy for older versions.
      'use-sync-external-store/shim/index.js': 'react',
      // What every icon of lucide-react imports.
      '../createLucideIcon.mjs': join(import.meta.dirname, 'ui/create-icon.ts'),
    },
  },
  server: { proxy: { '/api': server, '/i': server, '/a/': server } },
  build: {
    outDir: '../build/client',
    emptyOutDir: true,
    manifest: true,
    sourcemap: false,
    // The supported browsers have native modulepreload.
    modulePreload: { polyfill: false },
    // The CSP allows no `data:` URLs for scripts and styles, and hashed files are cached forever anyway.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: {
        index: join(import.meta.dirname, 'index.html'),
        album: join(import.meta.dirname, 'album-page/page.css'),
      },
      output: {
        // The server's own pages link this style sheet by a fixed name.
        assetFileNames: ({ names }) => (names.includes('album.css') ? 'album.css' : 'assets/[name]-[hash][extname]'),
        // Puts what every screen needs into one file instead of many small ones, and what the screens of pictures need into another.
        // Modules with styles are excluded: their CSS would come before the layer order (styles/layers.css).
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]|client[\\/](?:lib[\\/](?:after-paint|browser-storage|form-text|stored-choice|theme|use-busy|when-idle)|api[\\/](?:api-error|auth|client)|text[\\/](?:counting|words)|ui[\\/]page-heading)/,
            },
            { name: 'images', test: /client[\\/]api[\\/](?:early-list|images|post-form)/ },
          ],
        },
      },
    },
    // From these versions on, light-dark() is native. Compiled away, a subtree could not change its color-scheme.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
  },
});

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { boot } from './boot-plugin.ts';
import { cssTarget } from './css-target.ts';

const server = 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), boot()],
  // React has this hook itself; wouter takes a copy for older versions.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  server: { proxy: { '/api': server, '/i': server, '/a/': server, '/assets/album': server } },
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
      output: {
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
    cssTarget,
  },
});

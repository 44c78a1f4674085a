import { join, relative } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { boot } from './boot-plugin.ts';
import { browsers } from './browsers.ts';
import { icons } from './icons-plugin.ts';

/** `npm run dev` has read .env. */
const server = `http://127.0.0.1:${process.env.PORT ?? 3000}`;

/** Matches modules by the beginning of their path, in client/ or from node_modules/ on. */
const startingWith =
  (...beginnings: string[]) =>
  (id: string): boolean => {
    const [file = relative(import.meta.dirname, id)] = /node_modules[\\/].*/.exec(id) ?? [];
    return beginnings.some((beginning) => file.replaceAll('\\', '/').startsWith(beginning));
  };

const icon = (name: string): string => `node_modules/lucide-react/dist/esm/icons/${name}.`;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [icons(), react({ jsxImportSource: '#jsx' }), boot()],
  resolve: {
    alias: {
      // React has this hook itself; wouter takes a copy for older versions.
      'use-sync-external-store/shim/index.js': 'react',
      // What every icon of lucide-react imports.
      '../createLucideIcon.mjs': join(import.meta.dirname, 'ui/create-icon.ts'),
    },
  },
  server: {
    proxy: {
      '/api': server,
      '/i': server,
      '/a/': server,
      '/cli': server,
      '/d/': server,
      '/s/': server,
      '/l/': server,
      '^/c/[^/]+/': server,
      '/assets/album': server,
    },
  },
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
        // Fewer and larger files compress better, and each file is named in many others. A group takes the matching modules and
        // all that they import, except what an earlier group has.
        codeSplitting: {
          groups: [
            // React stays cached when a release changes the rest.
            {
              name: 'react',
              test: startingWith('jsx/', 'node_modules/react/', 'node_modules/react-dom/', 'node_modules/scheduler/'),
            },
            {
              // What every page needs. Its style sheet is the page's first, so it contains the order of the layers.
              name: 'base',
              test: startingWith(
                'styles/',
                'app.tsx',
                'api/account/auth',
                'layout/language-switch',
                'layout/theme-button',
                'lib/form-text',
                'lib/hooks/use-busy',
                'lib/lazy-part',
                'session/connect',
                'session/log-out',
                'text/counting',
                'ui/fields/field.',
                'ui/mosaic/mark',
                'ui/page/page-heading',
              ),
            },
            {
              // What the pages with a password share.
              name: 'password',
              test: startingWith('ui/fields/password-field'),
            },
            {
              // What the pages behind the login share.
              name: 'dashboard',
              test: startingWith(
                'layout/dashboard-layout',
                'image/wall/kept-page',
                'lib/copy-text',
                'lib/focus',
                'lib/say-again',
                'lib/hooks/use-latest',
                'query/use-query',
                'ui/page/load-error',
                'ui/progress/loading-line',
                'ui/page/page-head.',
                'ui/toasts/undoing',
                ...['check', 'circle-alert', 'copy', 'play', 'rotate-cw', 'trash', 'x'].map(icon),
              ),
            },
            {
              // What the gallery and an album share.
              name: 'images',
              test: startingWith(
                'api/images',
                'gallery/address',
                'gallery/select/select-button',
                'gallery/select/use-',
                'image/card/image-card',
                'image/use-preview',
              ),
            },
            {
              // What is loaded on demand around the gallery's search box.
              name: 'search-parts',
              test: startingWith('gallery/finding/'),
            },
            {
              // What the overlay shares with the settings, with the page of links and with the dialog of shares.
              name: 'dialogs',
              test: startingWith(
                'image/expiry/time-left',
                'image/expiry/use-time-left',
                'image/shares/lazy-dialogs',
                icon('download'),
                'session/copied-links',
                'text/format-moment',
                'ui/fields/select.',
                'ui/toasts/toast-host',
                'ui/dialogs/use-modal',
              ),
            },
          ],
        },
      },
    },
    target: browsers,
  },
});

/** Loaders of the routes' pages. boot-plugin.ts also lists the first files of each. */
import { withLaterWords } from '../text/language.ts';

export const loadLoginPage = () => import('./login-page.tsx');
export const loadRegisterPage = () => import('./register-page.tsx');
export const loadUploadPage = () => import('./upload-page.tsx');
export const loadGalleryPage = () => import('./gallery-page.tsx');
export const loadVideoPage = () => withLaterWords(import('./video-page.tsx'));
export const loadSettingsPage = () => withLaterWords(import('./settings-page.tsx'));
export const loadForgotPage = () => withLaterWords(import('./forgot-page.tsx'));
export const loadResetPage = () => withLaterWords(import('./reset-page.tsx'));
export const loadAlbumsPage = () => withLaterWords(import('./albums-page.tsx'));
export const loadAlbumPage = () => withLaterWords(import('./album-page.tsx'));
export const loadNotFoundPage = () => withLaterWords(import('./not-found-page.tsx'));

/** Preloads the page after the login, while the login is running. A failure is reported when the page is needed. */
export function preloadHome() {
  loadUploadPage().catch(() => undefined);
}

/** Preloads the login page: a session may end while the server is unreachable. */
export function preloadLogin() {
  loadLoginPage().catch(() => undefined);
}

/** What the routes load when they are needed. What each of them begins with is named in boot-plugin.ts too. */
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

/** While the login is on its way: the page after it. A failure here shows when the page is really wanted. */
export function preloadHome() {
  loadUploadPage().catch(() => undefined);
}

/** Where a session ends: it may end while the server cannot be reached. */
export function preloadLogin() {
  loadLoginPage().catch(() => undefined);
}

/** What the routes load when they are needed. */
export const loadDashboardLayout = () => import('../layout/dashboard-layout.tsx');
export const loadUploadPage = () => import('./upload-page.tsx');
export const loadGalleryPage = () => import('./gallery-page.tsx');
export const loadSessionData = () => import('../session/session-data.tsx');
export const loadVideoPage = () => import('./video-page.tsx');
export const loadNotFoundPage = () => import('./not-found-page.tsx');

/** While the login is on its way: the page after it. A failure here shows when the page is really wanted. */
export function preloadHome() {
  Promise.all([loadDashboardLayout(), loadUploadPage()]).catch(() => undefined);
}

import { lazy, Suspense, useEffect } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { DashboardLayout } from './layout/dashboard-layout.tsx';
import { whenIdle } from './lib/when-idle.ts';
import {
  loadAlbumPage,
  loadAlbumsPage,
  loadForgotPage,
  loadGalleryPage,
  loadLoginPage,
  loadNotFoundPage,
  loadRegisterPage,
  loadResetPage,
  loadSettingsPage,
  loadUploadPage,
  loadVideoPage,
  preloadLogin,
} from './pages/loaders.ts';
import { Guard } from './session/guard.tsx';
import { useLanguage } from './text/language.ts';
import { PageBoundary } from './ui/page-boundary.tsx';
import { Toasts } from './ui/toasts.tsx';

const LoginPage = lazy(async () => ({ default: (await loadLoginPage()).LoginPage }));
const RegisterPage = lazy(async () => ({ default: (await loadRegisterPage()).RegisterPage }));
const UploadPage = lazy(async () => ({ default: (await loadUploadPage()).UploadPage }));
const GalleryPage = lazy(async () => ({ default: (await loadGalleryPage()).GalleryPage }));
const VideoPage = lazy(async () => ({ default: (await loadVideoPage()).VideoPage }));
const SettingsPage = lazy(async () => ({ default: (await loadSettingsPage()).SettingsPage }));
const ForgotPage = lazy(async () => ({ default: (await loadForgotPage()).ForgotPage }));
const ResetPage = lazy(async () => ({ default: (await loadResetPage()).ResetPage }));
const EmailPage = lazy(async () => ({ default: (await loadResetPage()).EmailPage }));
const AlbumsPage = lazy(async () => ({ default: (await loadAlbumsPage()).AlbumsPage }));
const AlbumPage = lazy(async () => ({ default: (await loadAlbumPage()).AlbumPage }));
const NotFoundPage = lazy(async () => ({ default: (await loadNotFoundPage()).NotFoundPage }));

const home = '/dashboard/upload';
const dashboard = /^\/dashboard\/(?<page>upload|images|video|settings|albums(?:\/[^/]+)?)\/?$/;

/** The routes. Only /dashboard needs a login: an unknown path is a 404 with and without one. */
export function App() {
  useLanguage();
  useEffect(() => whenIdle(preloadLogin), []);
  return (
    <>
      <PageBoundary>
        <Suspense>
          <Switch>
            <Route path="/">
              <Redirect to={home} replace />
            </Route>
            <Route path="/login" component={LoginPage} />
            <Route path="/register" component={RegisterPage} />
            <Route path="/forgot" component={ForgotPage} />
            <Route path="/reset" component={ResetPage} />
            <Route path="/email" component={EmailPage} />
            <Route path="/dashboard">
              <Guard>
                <Redirect to={home} replace />
              </Guard>
            </Route>
            <Route path={dashboard}>
              {({ page }) => (
                <Guard>
                  <DashboardLayout>
                    <PageBoundary key={page}>
                      <Suspense>
                        <Switch>
                          <Route path="/dashboard/upload" component={UploadPage} />
                          <Route path="/dashboard/images" component={GalleryPage} />
                          <Route path="/dashboard/video" component={VideoPage} />
                          <Route path="/dashboard/settings" component={SettingsPage} />
                          <Route path="/dashboard/albums" component={AlbumsPage} />
                          <Route path="/dashboard/albums/:id">{({ id }) => <AlbumPage id={id} />}</Route>
                        </Switch>
                      </Suspense>
                    </PageBoundary>
                  </DashboardLayout>
                </Guard>
              )}
            </Route>
            <Route component={NotFoundPage} />
          </Switch>
        </Suspense>
      </PageBoundary>
      <Toasts />
    </>
  );
}

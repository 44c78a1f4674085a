import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import {
  loadDashboardLayout,
  loadGalleryPage,
  loadNotFoundPage,
  loadSessionData,
  loadUploadPage,
  loadVideoPage,
} from './pages/loaders.ts';
import { LoginPage } from './pages/login-page.tsx';
import { RegisterPage } from './pages/register-page.tsx';
import { Guard } from './session/guard.tsx';
import { PageBoundary } from './ui/page-boundary.tsx';
import { Toasts } from './ui/toasts.tsx';

const DashboardLayout = lazy(async () => ({ default: (await loadDashboardLayout()).DashboardLayout }));
const UploadPage = lazy(async () => ({ default: (await loadUploadPage()).UploadPage }));
const GalleryPage = lazy(async () => {
  const [{ GalleryPage }, { SessionData }] = await Promise.all([loadGalleryPage(), loadSessionData()]);
  return {
    default: () => (
      <SessionData>
        <GalleryPage />
      </SessionData>
    ),
  };
});
const VideoPage = lazy(async () => ({ default: (await loadVideoPage()).VideoPage }));
const NotFoundPage = lazy(async () => ({ default: (await loadNotFoundPage()).NotFoundPage }));

const home = '/dashboard/upload';
const dashboard = /^\/dashboard\/(?<page>upload|images|video)\/?$/;

/** The route table. Only the three pages below /dashboard are guarded: an unknown path is a 404 with and without a login. */
export function App() {
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

import { lazy, Suspense } from 'react';
import { administrationWords } from '../text/administration-words.ts';
import { withWords } from '../text/language.ts';
import { LoadingLine } from '../ui/progress/loading-line.tsx';

// Loaded later, because no page may start with more JavaScript than the limit (scripts/check-bundle.mjs).
const loadScreen = () => withWords([administrationWords], import('../administration/administration-screen.tsx'));
const Screen = lazy(async () => ({ default: (await loadScreen()).AdministrationScreen }));

export default function AdminPage() {
  return (
    <Suspense fallback={<LoadingLine at="window" />}>
      <Screen />
    </Suspense>
  );
}

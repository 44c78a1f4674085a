import { PageHead } from '../layout/page-head.tsx';

export function GalleryPage() {
  return <PageHead title="" />;
}

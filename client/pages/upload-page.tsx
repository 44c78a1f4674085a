import { PageHead } from '../layout/page-head.tsx';

export function UploadPage() {
  return <PageHead title="" />;
}

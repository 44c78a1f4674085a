import { texts } from '../text/auth.ts';
import { PageHeading } from '../ui/page-heading.tsx';
export function LoginPage() {
  return <PageHeading title={texts.login} />;
}

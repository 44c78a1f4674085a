import { texts } from '../text/auth.ts';
import { PageHeading } from '../ui/page-heading.tsx';
export function RegisterPage() {
  return <PageHeading title={texts.register} />;
}

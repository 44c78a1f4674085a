import { UserCog } from 'lucide-react';
import type { ReactElement } from 'react';
import type { NavLinkProps } from '../layout/main-nav.tsx';
import { adminPath } from '../routes.ts';
import { administration as texts } from '../text/words.ts';

type Look = Omit<NavLinkProps, 'href' | 'icon' | 'text'>;

/** The link to the administration. Loaded after the navigation, for its size. */
export function AdminLink({ link: NavLink, ...look }: Look & { link: (props: NavLinkProps) => ReactElement }) {
  return <NavLink {...look} href={adminPath} icon={UserCog} text={texts.title} />;
}

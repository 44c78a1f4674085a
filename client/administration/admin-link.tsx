import { UserCog } from 'lucide-react';
import type { ComponentType } from 'react';
import type { NavLinkProps } from '../layout/main-nav.tsx';
import { useQuery } from '../query/use-query.ts';
import { adminPath } from '../routes.ts';
import { administration as texts } from '../text/words.ts';
import { accountQuery } from './account-query.ts';

type Look = Omit<NavLinkProps, 'href' | 'icon' | 'text'>;

/** The link to the administration, for administrators. Loaded after the navigation, for its size. */
export function AdminLink({ link: NavLink, ...look }: Look & { link: ComponentType<NavLinkProps> }) {
  const { data } = useQuery(accountQuery, true);
  return data?.role === 'admin' ? <NavLink {...look} href={adminPath} icon={UserCog} text={texts.title} /> : null;
}

import { Suspense } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useQuery } from '../../query/use-query.ts';
import { identitiesQuery } from './use-identities.ts';

const ProviderBox = lazyPart(async () => {
  const part = await import('./provider-box.tsx');
  await part.arrive();
  return { default: part.ProviderBox };
});

/** The sign-in provider's box, if there is a provider or an identity. Its script and its words load only then. */
export function IdentitiesSlot() {
  const { data } = useQuery(identitiesQuery);
  if (!data || (!data.can_link && data.identities.length === 0)) return null;
  return (
    <Suspense>
      <ProviderBox {...data} />
    </Suspense>
  );
}

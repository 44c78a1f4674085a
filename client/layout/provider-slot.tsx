import { type ComponentType, type ReactNode, Suspense, useState } from 'react';
import { optionalPart } from '../lib/lazy-part.ts';
import type { ProviderSignInProps } from './provider-sign-in.tsx';

/** A login that returns from the provider continues with this script, once. Without it, passwords work all the same. */
const ProviderSignIn = optionalPart(async (): Promise<{ default: ComponentType<ProviderSignInProps> }> => {
  try {
    const part = await import('./provider-sign-in.tsx');
    await part.arrive();
    return { default: part.ProviderSignIn };
  } catch {
    return { default: () => null };
  }
});

interface ProviderSlotProps extends ProviderSignInProps {
  /** Above the provider's button. */
  children: ReactNode;
  /** Below it. */
  below: ReactNode;
}

/** The fields of a login page, and the button to the sign-in provider. The fields wait for a login that returns. */
export function ProviderSlot({ children, below, ...props }: ProviderSlotProps) {
  const [returns] = useState(() => location.hash.startsWith('#provider='));
  return (
    <>
      {returns ? null : children}
      <Suspense>
        {returns ? children : null}
        <ProviderSignIn {...props} />
        {below}
      </Suspense>
    </>
  );
}

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useToken } from './session.ts';

let known: { token: string | null; client: QueryClient } | undefined;

/** The client of `token`'s session; the next session starts with nothing of what the last one was told. */
function clientFor(token: string | null): QueryClient {
  if (known?.token !== token) {
    known?.client.clear();
    // ky has already tried again where that is worth while.
    known = { token, client: new QueryClient({ defaultOptions: { queries: { retry: false } } }) };
  }
  return known.client;
}

/** What the server told, kept while one session lasts, over changes of page. */
export function SessionData({ children }: { children: ReactNode }) {
  const token = useToken();
  return (
    <QueryClientProvider key={token} client={clientFor(token)}>
      {children}
    </QueryClientProvider>
  );
}

import { serverAway } from '#console/core/live/serverAway.ts';
import { useStore } from '#console/core/store.ts';
import type { CallFailed } from '#contract/client.ts';
import { FormError } from './FormError.tsx';

/**
 * Reports that what is on screen could not be refetched. While the server does not answer, the band at the top says so
 * for the whole screen.
 */
export function RefetchError({ error }: { error: CallFailed | null | undefined }) {
  const away = useStore(serverAway);
  return away ? null : <FormError error={error} />;
}

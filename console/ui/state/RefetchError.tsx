import { serverAway } from '#console/live/serverAway.ts';
import { useStore } from '#console/store.ts';
import { FormError } from '#console/ui/form/FormError.tsx';
import type { CallFailed } from '#contract/client.ts';

/**
 * Reports that what is on screen could not be refetched. While the server does not answer, the band at the top says so
 * for the whole screen.
 */
export function RefetchError({ error }: { error: CallFailed | null | undefined }) {
  const away = useStore(serverAway);
  return away ? null : <FormError error={error} />;
}

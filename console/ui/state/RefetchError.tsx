import { serverAway } from '#console/serverAway.ts';
import { useStore } from '#console/store.ts';
import { FormError } from '#console/ui/form/FormError.tsx';
import type { CallFailed } from '#contract/client.ts';

/** What is on screen could not be read again. While nothing answers, the band across the top says so for all of it. */
export function RefetchError({ error }: { error: CallFailed | null | undefined }) {
  const away = useStore(serverAway);
  return away ? null : <FormError error={error} />;
}

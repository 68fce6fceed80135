import { useParams } from '@tanstack/react-router';
import { useRead } from '#console/api.ts';
import { DetailScreen } from '#console/ui/screen/DetailScreen.tsx';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { readBundle } from '#contract/bundle.ts';

/** One bundle: what it contains, and who runs it. */
export function BundleScreen() {
  const { bundleId = '' } = useParams({ strict: false }) as { bundleId?: string };
  const read = useRead(readBundle, { params: { bundleId } });
  const { data, error } = read;
  if (error?.reason === 'BUNDLE_NOT_FOUND') return <NotFound what={`Bundle ${bundleId} does not exist.`} />;
  if (!data) return <ReadState read={read} what="The bundle" />;
  return (
    <DetailScreen name={data.name} id={data.id}>
      <ReadState read={read} what="The bundle" refetchError />
    </DetailScreen>
  );
}

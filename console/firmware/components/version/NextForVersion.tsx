import { Link } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { buttonClass } from '#console/ui/Button.tsx';
import { createBundle } from '#contract/bundle.ts';
import { type ComponentVersion, readVersionUse } from '#contract/componentVersion.ts';

interface NextForVersionProps {
  projectId: string;
  version: ComponentVersion;
}

/** What brings a version closer to devices: a bundle with it, then that bundle. */
export function NextForVersion({ projectId, version: { id: versionId, state } }: NextForVersionProps) {
  const mayCreate = useMay(createBundle);
  const { data } = useRead(readVersionUse, { params: { versionId } });
  if (state !== 'ready' || !data) return null;
  const [newest] = data.bundles;
  if (newest)
    return (
      <Link
        className={buttonClass('primary')}
        to="/projects/$projectId/bundles/$bundleId"
        params={{ projectId, bundleId: newest.id }}
      >
        <span dir="auto">Open {newest.name}</span>
      </Link>
    );
  if (!mayCreate) return null;
  return (
    <Link
      className={buttonClass('primary')}
      to="/projects/$projectId/bundles"
      params={{ projectId }}
      search={{ version: versionId } as never}
      hash="new"
    >
      Create bundle
    </Link>
  );
}

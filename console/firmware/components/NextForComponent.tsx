import { Link } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { buttonClass } from '#console/ui/Button.tsx';
import { LinePanel } from '#console/ui/screen/LinePanel.tsx';
import { createBundle } from '#contract/bundle.ts';
import type { Component } from '#contract/component.ts';
import { readVersionUse } from '#contract/componentVersion.ts';

interface NextForComponentProps {
  projectId: string;
  component: Component;
}

/** The newest version that no bundle has cannot reach a device yet. */
export function NextForComponent({ projectId, component: { name, versions } }: NextForComponentProps) {
  const [newest] = versions;
  const mayCreate = useMay(createBundle);
  const isReady = newest?.state === 'ready' && mayCreate;
  const { data } = useRead(
    readVersionUse,
    { params: { versionId: newest?.id ?? '' } },
    { enabled: isReady === true },
  );
  if (!newest || !isReady || data?.bundles.length !== 0) return null;
  return (
    <LinePanel
      title="Next step"
      action={
        <Link
          className={buttonClass('plain')}
          to="/projects/$projectId/bundles"
          params={{ projectId }}
          search={{ version: newest.id } as never}
          hash="new"
        >
          Create bundle
        </Link>
      }
    >
      <span dir="auto">
        {name} {newest.name}
      </span>{' '}
      is ready, but in no bundle, so no device can run it yet.
    </LinePanel>
  );
}

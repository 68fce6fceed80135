import { Link } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { BundleLink } from '#console/firmware/BundleLink.tsx';
import { countOf } from '#console/firmware/firmwareWords.ts';
import { buttonClass } from '#console/ui/Button.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { createBundle } from '#contract/bundle.ts';
import { type ComponentVersion, readVersionUse, type VersionUse } from '#contract/componentVersion.ts';
import css from './version.module.css';

interface UsePanelProps {
  projectId: string;
  version: ComponentVersion;
}

/** The bundles that contain a version, each with the devices that run it. */
export function UsePanel({ projectId, version }: UsePanelProps) {
  const { id: versionId, state, bundleCount } = version;
  const read = useRead(readVersionUse, { params: { versionId } });
  const mayCreate = useMay(createBundle);
  return (
    <Panel title="Where used" note={bundleCount > 0 ? countOf(bundleCount, 'bundle') : undefined}>
      <div id="use" className={css.stack}>
        <ReadState read={read} what="Where it is used" skeleton={<Skeleton lines={2} />} refetchError />
        {read.data?.bundles.length === 0 && (
          <p className={css.quiet}>
            {state === 'ready'
              ? 'Not in a bundle yet.'
              : 'Not in a bundle yet. Add it to one when it is ready.'}
          </p>
        )}
        {read.data && read.data.bundles.length > 0 && <UseList projectId={projectId} use={read.data} />}
        {mayCreate && state === 'ready' && bundleCount > 0 && (
          <div>
            <Link
              className={buttonClass('plain')}
              to="/projects/$projectId/bundles"
              params={{ projectId }}
              search={{ version: versionId } as never}
              hash="new"
            >
              Create another bundle
            </Link>
          </div>
        )}
      </div>
    </Panel>
  );
}

function UseList({ projectId, use: { bundles, devices } }: { projectId: string; use: VersionUse }) {
  return (
    <ul className={css.use}>
      {bundles.map(({ id: bundleId, name, deviceClass }) => {
        const count = devices.find(one => one.bundleId === bundleId)?.count ?? 0;
        return (
          <li key={bundleId}>
            <BundleLink projectId={projectId} bundle={{ id: bundleId, name }} className={css.link} />
            <span className={css.quiet}>{deviceClass}</span>
            {count > 0 ? (
              <Link
                className={css.link}
                to="/projects/$projectId/devices"
                params={{ projectId }}
                search={{ bundle: bundleId } as never}
              >
                {countOf(count, 'device')}
              </Link>
            ) : (
              <span className={css.quiet}>no device</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

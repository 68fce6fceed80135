import { Link } from '@tanstack/react-router';
import { BundleLink } from '#console/firmware/BundleLink.tsx';
import { VersionPill } from '#console/firmware/VersionPill.tsx';
import { LinePanel } from '#console/ui/screen/LinePanel.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { Bundle } from '#contract/bundle.ts';
import type { Component } from '#contract/component.ts';
import type { Page } from '#contract/paging.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './firmwareOverview.module.css';

export const newestMax = 6;

interface NewestVersionsProps {
  projectId: string;
  components: Page<Component>;
}

/** The newest version of each component. */
export function NewestVersions({ projectId, components: { items, total } }: NewestVersionsProps) {
  return (
    <Panel
      title="Newest versions"
      action={
        <Link className={css.more} to="/projects/$projectId/components" params={{ projectId }}>
          {total > newestMax ? `All ${total}` : 'Components'}
        </Link>
      }
    >
      <ul className={css.newest}>
        {items.slice(0, newestMax).map(({ id: componentId, name, versions: [version] }) => (
          <li key={componentId}>
            <Link
              className={css.name}
              to="/projects/$projectId/components/$componentId"
              params={{ projectId, componentId }}
            >
              {name}
            </Link>
            {version ? (
              <Link
                className={css.version}
                to="/projects/$projectId/components/$componentId/versions/$versionId"
                params={{ projectId, componentId, versionId: version.id }}
              >
                {version.name}
              </Link>
            ) : (
              <span className={css.quiet}>None yet</span>
            )}
            {version && version.state !== 'ready' && <VersionPill state={version.state} />}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

interface NewestBundlesProps {
  projectId: string;
  bundles: Page<Bundle>;
}

export function NewestBundles({ projectId, bundles: { items, total } }: NewestBundlesProps) {
  if (total === 0) return <LinePanel title="Newest bundles">No bundles yet.</LinePanel>;
  return (
    <Panel
      title="Newest bundles"
      action={
        <Link className={css.more} to="/projects/$projectId/bundles" params={{ projectId }}>
          {total > newestMax ? `All ${numberText(total)}` : 'Bundles'}
        </Link>
      }
    >
      <ul className={css.newest}>
        {items.slice(0, newestMax).map(bundle => (
          <li key={bundle.id}>
            <BundleLink {...{ projectId, bundle }} className={css.name} />
            <span className={css.quiet}>
              <TimeAgo time={bundle.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

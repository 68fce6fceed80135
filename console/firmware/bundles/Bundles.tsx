import { Link, useParams } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { FirmwareTabs } from '#console/firmware/FirmwareTabs.tsx';
import { countOf } from '#console/firmware/firmwareWords.ts';
import { buttonClass } from '#console/ui/Button.tsx';
import clamp from '#console/ui/Clamp.module.css';
import { Rope } from '#console/ui/drawings.tsx';
import { firstLine } from '#console/ui/firstLine.ts';
import { ListScreen } from '#console/ui/list/ListScreen.tsx';
import type { Column } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { useAdd } from '#console/ui/list/useAdd.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { type Bundle, createBundle, listBundles } from '#contract/bundle.ts';
import { readStats } from '#contract/stats.ts';
import css from './bundles.module.css';
import { NewBundle } from './NewBundle.tsx';

/** What can be put on devices: sets of component versions, newest first. */
export function Bundles() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId' });
  const mayCreate = useMay(createBundle);
  const adding = useAdd('Create bundle', mayCreate);
  const { data: stats } = useRead(readStats, { params: { projectId } });
  const classes = stats?.devices.map(({ deviceClass }) => deviceClass) ?? [];
  return (
    <ListScreen
      title="Bundles"
      noun="bundles"
      endpoint={listBundles}
      input={(page, chosen) => ({
        query: { projectId, ...page, ...(chosen.class?.[0] && { deviceClass: chosen.class[0] }) },
      })}
      searchHint="Name, description…"
      // Shown before its choices are known, as it may take a line of its own.
      filters={[{ id: 'class', label: 'Class', options: classes.map(id => ({ value: id, label: id })) }]}
      tabs={<FirmwareTabs projectId={projectId} />}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      rowLink={({ id: bundleId }) => ({
        to: '/projects/$projectId/bundles/$bundleId',
        params: { projectId, bundleId },
      })}
      rowMenu={({ id: clone }) =>
        mayCreate
          ? [
              {
                label: 'Clone bundle',
                link: {
                  to: '/projects/$projectId/bundles',
                  params: { projectId },
                  search: { clone } as never,
                  hash: 'new',
                },
              },
            ]
          : []
      }
      selectionActions={({ ids, all }) => <Compare projectId={projectId} ids={all ? [] : [...ids]} />}
      create={adding.button('primary')}
      empty={
        <EmptyState icon={<Rope />} title="No bundles yet" action={adding.button('primary')}>
          A bundle has one version of each component, for one device class. Channels assign it to devices.
        </EmptyState>
      }
    >
      {adding.open && <NewBundle projectId={projectId} onClose={adding.close} />}
    </ListScreen>
  );
}

/** Exactly two bundles can be compared. */
function Compare({ projectId, ids: [bundleId, other, ...more] }: { projectId: string; ids: string[] }) {
  if (bundleId === undefined || other === undefined || more.length > 0)
    return <span className={css.quiet}>Select two bundles to compare them.</span>;
  return (
    <Link
      className={buttonClass('plain')}
      to="/projects/$projectId/bundles/$bundleId"
      params={{ projectId, bundleId }}
      search={{ with: other } as never}
    >
      Compare bundles
    </Link>
  );
}

const devicesOf = (count: number) => (count > 0 ? countOf(count, 'device') : '–');

const columns: readonly Column<Bundle>[] = [
  {
    id: 'name',
    head: 'Bundle',
    sort: 'name',
    cell: ({ name, description }) => (
      <TwoLines
        strong
        main={<span dir="auto">{name}</span>}
        sub={description && <span dir="auto">{firstLine(description)}</span>}
      />
    ),
  },
  {
    id: 'components',
    head: 'Components',
    width: '26%',
    cell: ({ components }) => (
      <span className={`${css.versions} ${clamp.clamp}`}>
        {components
          .slice(0, 2)
          .map(({ componentName, versionName }) => `${componentName} ${versionName}`)
          .join(', ')}
        {components.length > 2 && `, +${components.length - 2}`}
      </span>
    ),
  },
  { id: 'class', head: 'Class', sort: 'deviceClass', width: '14%', cell: ({ deviceClass }) => deviceClass },
  {
    id: 'use',
    head: 'Used by',
    width: '16%',
    cell: ({ channelCount, deviceCount }) => (
      <TwoLines
        main={channelCount > 0 ? countOf(channelCount, 'channel') : devicesOf(deviceCount)}
        sub={channelCount > 0 && deviceCount > 0 && devicesOf(deviceCount)}
      />
    ),
  },
  {
    id: 'created',
    head: 'Created',
    sort: 'createdAt',
    width: '13%',
    cell: ({ createdAt }) => <TimeAgo time={createdAt} />,
  },
];

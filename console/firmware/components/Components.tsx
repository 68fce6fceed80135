import { useParams } from '@tanstack/react-router';
import { useMay } from '#console/core/membership/useMay.ts';
import { FirmwareTabs } from '#console/firmware/FirmwareTabs.tsx';
import { VersionPill } from '#console/firmware/VersionPill.tsx';
import { Bollard } from '#console/ui/drawings.tsx';
import { firstLine } from '#console/ui/firstLine.ts';
import { ListScreen } from '#console/ui/list/ListScreen.tsx';
import type { Column } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { useAdd } from '#console/ui/list/useAdd.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { type Component, createComponent, listComponents } from '#contract/component.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './components.module.css';
import { NewComponent } from './NewComponent.tsx';

/** The components that firmware is made for, each with its newest version. */
export function Components() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId' });
  const adding = useAdd('Create component', useMay(createComponent));
  return (
    <ListScreen
      title="Components"
      noun="components"
      endpoint={listComponents}
      input={page => ({ query: { projectId, ...page } })}
      searchHint="Name, description…"
      tabs={<FirmwareTabs projectId={projectId} />}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      rowLink={({ id: componentId }) => ({
        to: '/projects/$projectId/components/$componentId',
        params: { projectId, componentId },
      })}
      create={adding.button('primary')}
      empty={
        <EmptyState icon={<Bollard />} title="Start with a component" action={adding.button('primary')}>
          A component is one part of a device that can be updated: its application, its boot loader, the
          firmware of its radio. Next, upload its versions.
        </EmptyState>
      }
    >
      {adding.open && <NewComponent projectId={projectId} onClose={adding.close} />}
    </ListScreen>
  );
}

const columns: readonly Column<Component>[] = [
  {
    id: 'name',
    head: 'Component',
    sort: 'name',
    cell: ({ name, description }) => (
      <TwoLines strong main={name} sub={description && <span dir="auto">{firstLine(description)}</span>} />
    ),
  },
  {
    id: 'newest',
    head: 'Newest version',
    width: '28%',
    cell: ({ versions: [newest] }) =>
      newest ? (
        <span className={css.newest}>
          <code>{newest.name}</code>
          {newest.state !== 'ready' && <VersionPill state={newest.state} />}
        </span>
      ) : (
        <span className={css.quiet}>None yet</span>
      ),
  },
  {
    id: 'versions',
    head: 'Versions',
    align: 'end',
    width: '12%',
    cell: ({ versionCount }) => numberText(versionCount),
  },
  {
    id: 'created',
    head: 'Created',
    sort: 'createdAt',
    width: '18%',
    cell: ({ createdAt }) => <TimeAgo time={createdAt} />,
  },
];

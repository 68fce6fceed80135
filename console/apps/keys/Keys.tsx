import { useParams } from '@tanstack/react-router';
import { ClientTabs } from '#console/apps/ClientTabs.tsx';
import { useMay } from '#console/core/membership/useMay.ts';
import { Bollard } from '#console/ui/drawings.tsx';
import { firstLine } from '#console/ui/firstLine.ts';
import { ListScreen } from '#console/ui/list/ListScreen.tsx';
import type { Column } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { useAdd } from '#console/ui/list/useAdd.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { createKey, type Key, listKeys } from '#contract/key.ts';
import { allowedOf, capabilityWords } from './capabilityWords.ts';
import { KeyStatePill } from './KeyStatePill.tsx';
import css from './keys.module.css';
import { NewKey } from './NewKey.tsx';

const refetchMs = 30_000;

/** The keys of back ends: what each may do, and when it was last used. */
export function Keys() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId' });
  const adding = useAdd('Create key', useMay(createKey));
  return (
    <ListScreen
      title="Other clients"
      noun="keys"
      endpoint={listKeys}
      input={page => ({ params: { projectId }, query: page })}
      searchHint="Name, description, id…"
      tabs={<ClientTabs projectId={projectId} />}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      rowLink={({ id: keyId }) => ({
        to: '/projects/$projectId/other_clients/$keyId',
        params: { projectId, keyId },
      })}
      create={adding.button('primary')}
      refetchInterval={refetchMs}
      empty={
        <EmptyState icon={<Bollard />} title="No keys yet" action={adding.button('primary')}>
          Your own back end calls the service API with a key. Depending on its capabilities, it can send
          commands and events, create users and write key-value pairs.
        </EmptyState>
      }
    >
      {adding.open && <NewKey projectId={projectId} onClose={adding.close} />}
    </ListScreen>
  );
}

const columns: readonly Column<Key>[] = [
  {
    id: 'key',
    head: 'Key',
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
    id: 'state',
    head: 'State',
    width: '20%',
    isShort: true,
    cell: key => <KeyStatePill keyRow={key} shape="lines" />,
  },
  {
    id: 'capabilities',
    head: 'Capabilities',
    width: '28%',
    cell: key => <CapabilityMarks of={key} />,
  },
  {
    id: 'used',
    head: 'Last used',
    sort: 'lastUsedAt',
    width: '14%',
    cell: ({ lastUsedAt, lastUsedFrom }) => (
      <TwoLines main={<TimeAgo time={lastUsedAt} />} mono="sub" sub={lastUsedFrom} />
    ),
  },
  {
    id: 'created',
    head: 'Created',
    sort: 'createdAt',
    width: '12%',
    cell: ({ createdAt }) => <TimeAgo time={createdAt} />,
  },
];

function CapabilityMarks({ of }: { of: Key }) {
  const allowed = allowedOf(of);
  if (allowed.length === 0) return <span className={css.quiet}>nothing</span>;
  return (
    <ul className={css.marks}>
      {allowed.map(one => (
        <li key={one} data-strong={one === 'canAdmin' || undefined} title={capabilityWords[one].label}>
          {capabilityWords[one].mark}
        </li>
      ))}
    </ul>
  );
}

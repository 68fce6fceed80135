import { useParams } from '@tanstack/react-router';
import { useMay } from '#console/core/membership/useMay.ts';
import { useAppSimulator } from '#console/guide/simulators/useAppSimulator.ts';
import { Rope } from '#console/ui/drawings.tsx';
import { firstLine } from '#console/ui/firstLine.ts';
import { ListScreen } from '#console/ui/list/ListScreen.tsx';
import type { Column } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { useAdd } from '#console/ui/list/useAdd.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { type AppRow, createApp, listApps } from '#contract/app.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './apps.module.css';
import { ClientTabs } from './ClientTabs.tsx';
import { NewApp } from './NewApp.tsx';

const refetchMs = 30_000;

/** The apps that users sign in to, with their usage. */
export function Apps() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId' });
  const simulator = useAppSimulator();
  const adding = useAdd('Create app', useMay(createApp));
  return (
    <ListScreen
      title="Apps"
      noun="apps"
      endpoint={listApps}
      input={page => ({ params: { projectId }, query: page })}
      searchHint="Id, description…"
      tabs={<ClientTabs projectId={projectId} />}
      columns={columns}
      rowKey={({ id }) => id}
      rowLink={({ id: appId }) => ({
        to: '/projects/$projectId/apps/$appId',
        params: { projectId, appId },
      })}
      rowMenu={({ id: appId }) => [{ label: 'Open simulator', run: () => void simulator.open(appId) }]}
      create={adding.button('primary')}
      refetchInterval={refetchMs}
      empty={
        <EmptyState icon={<Rope />} title="No apps yet" action={adding.button('primary')}>
          An app is what your users sign in to: it reads its config here, and sees and controls the devices of
          their homes.
        </EmptyState>
      }
    >
      <FormError error={simulator.error} />
      {adding.open && <NewApp projectId={projectId} onClose={adding.close} />}
    </ListScreen>
  );
}

const columns: readonly Column<AppRow>[] = [
  {
    id: 'app',
    head: 'App',
    sort: 'id',
    cell: ({ id, description }) => (
      <TwoLines strong main={id} sub={description && <span dir="auto">{firstLine(description)}</span>} />
    ),
  },
  {
    id: 'active',
    head: 'Active now',
    width: '20%',
    cell: ({ activeSessions }) =>
      activeSessions > 0 ? (
        <StatePill shape="plain" tone="ok" word={`${numberText(activeSessions)} active`} />
      ) : (
        <span className={css.quiet}>nobody</span>
      ),
  },
  {
    id: 'open',
    head: 'Open sessions',
    align: 'end',
    width: '16%',
    cell: ({ openSessions }) => numberText(openSessions),
  },
  {
    id: 'created',
    head: 'Created',
    sort: 'createdAt',
    width: '18%',
    cell: ({ createdAt }) => (
      <span className={css.quiet}>
        <TimeAgo time={createdAt} />
      </span>
    ),
  },
];

import { useParams } from '@tanstack/react-router';
import { ClientTabs } from '#console/apps/ClientTabs.tsx';
import { useMay } from '#console/core/membership/useMay.ts';
import clamp from '#console/ui/Clamp.module.css';
import { Rope } from '#console/ui/drawings.tsx';
import { ListScreen } from '#console/ui/list/ListScreen.tsx';
import type { Column } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { useAdd } from '#console/ui/list/useAdd.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { createProxyRoute, listProxyRoutes, type ProxyRouteRow } from '#contract/proxyRoute.ts';
import { numberText } from '#rules/text/numberText.ts';
import { NewProxyRoute } from './NewProxyRoute.tsx';
import css from './proxyRoutes.module.css';
import { filterText, resourceWords, rolesText } from './routeWords.ts';

const refetchMs = 30_000;

/** The routes through which apps reach a back end of the developer. */
export function ProxyRoutes() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId' });
  const adding = useAdd('Create route', useMay(createProxyRoute));
  return (
    <ListScreen
      title="App Proxy"
      noun="routes"
      endpoint={listProxyRoutes}
      input={page => ({ query: { projectId, ...page } })}
      searchHint="Path, target, description…"
      tabs={<ClientTabs projectId={projectId} />}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ sourcePath }) => sourcePath}
      rowLink={({ id: routeId }) => ({
        to: '/projects/$projectId/proxy_routes/$routeId',
        params: { projectId, routeId },
      })}
      create={adding.button('primary')}
      refetchInterval={refetchMs}
      empty={
        <EmptyState icon={<Rope />} title="No routes yet" action={adding.button('primary')}>
          A route forwards calls from your apps to your own back end. Signed headers tell it which user is
          calling, from which home and in which role, so it needs no sign-in of its own.
        </EmptyState>
      }
    >
      {adding.open && <NewProxyRoute projectId={projectId} onClose={adding.close} />}
    </ListScreen>
  );
}

const columns: readonly Column<ProxyRouteRow>[] = [
  {
    id: 'route',
    head: 'Source path',
    sort: 'sourcePath',
    cell: ({ sourcePath, resource, suspended }) => (
      <TwoLines
        strong
        mono="main"
        main={sourcePath}
        sub={suspended ? `${resourceWords[resource].label} · suspended` : resourceWords[resource].label}
      />
    ),
  },
  {
    id: 'target',
    head: 'Target',
    sort: 'targetUrl',
    width: '30%',
    cell: ({ targetUrl }) => (
      <code className={`${clamp.clamp} ${clamp.code}`} title={targetUrl}>
        {targetUrl}
      </code>
    ),
  },
  {
    id: 'for',
    head: 'For',
    width: '20%',
    cell: route => <TwoLines main={filterText(route)} sub={rolesOf(route)} />,
  },
  {
    id: 'calls',
    head: 'Calls, 24 h',
    width: '16%',
    cell: ({ calls, failedCalls }) => <Calls calls={calls} failed={failedCalls} />,
  },
  {
    id: 'created',
    head: 'Created',
    sort: 'createdAt',
    width: '12%',
    cell: ({ createdAt }) => <TimeAgo time={createdAt} />,
  },
];

const rolesOf = (route: ProxyRouteRow) =>
  route.resource === 'project' || route.resource === 'user' ? undefined : rolesText(route);

function Calls({ calls, failed }: { calls: number; failed: number }) {
  const count = numberText(calls);
  if (failed === 0) return <span className={css.figure}>{count}</span>;
  const share = (failed / calls) * 100;
  return (
    <StatePill
      shape="lines"
      tone={share >= 50 ? 'danger' : 'warn'}
      word={count}
      detail={`${numberText(failed)} failed`}
    />
  );
}

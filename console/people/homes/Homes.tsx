import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '#console/core/membership/useMay.ts';
import { PeopleTabs } from '#console/people/PeopleTabs.tsx';
import clamp from '#console/ui/Clamp.module.css';
import { Rope } from '#console/ui/drawings.tsx';
import { PersonLink } from '#console/ui/links/PersonLink.tsx';
import { ListScreen } from '#console/ui/list/ListScreen.tsx';
import type { Column } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { useAdd } from '#console/ui/list/useAdd.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { createHome, editHome, type Home, listHomes } from '#contract/home.ts';
import { numberText } from '#rules/text/numberText.ts';
import { ActOnHome, type HomeAct } from './ActOnHome.tsx';
import css from './homes.module.css';
import { NewHome } from './NewHome.tsx';

/** The homes that users share: find one, see who owns it and how many devices and members it has. */
export function Homes() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId/homes/' });
  const adding = useAdd('Create home', useMay(createHome));
  const mayEdit = useMay(editHome);
  const [acting, setActing] = useState<{ act: HomeAct; home: Home }>();
  return (
    <ListScreen
      key={projectId}
      title="Homes"
      noun="homes"
      endpoint={listHomes}
      input={(page, { active }) => ({ query: { projectId, ...page, ...activeIs(active?.[0]) } })}
      searchHint="Name, id…"
      filters={[{ id: 'active', label: 'State', single: true, chips: stateChips }]}
      tabs={<PeopleTabs projectId={projectId} />}
      columns={columnsFor(projectId)}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      rowLink={({ id: homeId }) => ({
        to: '/projects/$projectId/homes/$homeId',
        params: { projectId, homeId },
      })}
      rowMenu={home =>
        mayEdit
          ? [
              home.active
                ? { label: 'Deactivate home', run: () => setActing({ act: 'deactivate', home }) }
                : { label: 'Activate home', run: () => setActing({ act: 'activate', home }) },
              'line',
              { label: 'Delete home', danger: true, run: () => setActing({ act: 'delete', home }) },
            ]
          : []
      }
      create={adding.button('primary')}
      empty={
        <EmptyState icon={<Rope />} title="No homes yet" action={adding.button('primary')}>
          A home groups the devices of a user and is shared with others. Users create one in your app; you can
          create one for them here.
        </EmptyState>
      }
    >
      {adding.open && <NewHome projectId={projectId} onClose={adding.close} />}
      {acting && <ActOnHome {...acting} onClose={() => setActing(undefined)} />}
    </ListScreen>
  );
}

/** An address can contain anything. */
function activeIs(chosen: string | undefined): { active?: 'true' | 'false' } {
  return chosen === 'true' || chosen === 'false' ? { active: chosen } : {};
}

const stateChips = [
  { value: 'true', label: 'Active', tone: 'ok' },
  { value: 'false', label: 'Not active', tone: 'off' },
] as const;

function HomeState({ home: { active, transfer } }: { home: Home }) {
  return (
    <StatePill
      shape="lines"
      tone={active ? 'ok' : 'off'}
      word={active ? 'Active' : 'Not active'}
      detail={transfer && 'transfer offered'}
    />
  );
}

function columnsFor(projectId: string): readonly Column<Home>[] {
  return [
    {
      id: 'home',
      head: 'Home',
      sort: 'name',
      cell: ({ id, name }) => (
        <TwoLines strong main={<span dir="auto">{name}</span>} sub={`home ${id}`} mono="sub" />
      ),
    },
    {
      id: 'owner',
      head: 'Owner',
      width: '22%',
      isShort: true,
      cell: ({ owner }) => (
        <span className={`${css.above} ${clamp.clamp}`}>
          <PersonLink projectId={projectId} person={owner} />
        </span>
      ),
    },
    {
      id: 'state',
      head: 'State',
      width: '16%',
      cell: home => <HomeState home={home} />,
    },
    {
      id: 'devices',
      head: 'Devices',
      width: '10%',
      align: 'end',
      cell: ({ deviceCount }) => numberText(deviceCount),
    },
    {
      id: 'members',
      head: 'Members',
      width: '10%',
      align: 'end',
      cell: ({ memberCount }) => numberText(memberCount),
    },
    {
      id: 'created',
      head: 'Created',
      sort: 'createdAt',
      width: '14%',
      cell: ({ createdAt }) => (
        <span className={css.when}>
          <TimeAgo time={createdAt} />
        </span>
      ),
    },
  ];
}

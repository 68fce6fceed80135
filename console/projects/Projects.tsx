import { ofOwn } from '#console/core/session.ts';
import { Rope } from '#console/ui/drawings.tsx';
import { ListScreen } from '#console/ui/list/ListScreen.tsx';
import { useAdd } from '#console/ui/list/useAdd.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { pageSizes } from '#contract/paging.ts';
import { listProjects } from '#contract/project.ts';
import { DeletionNotice } from './DeletionNotice.tsx';
import { Fleets } from './Fleets.tsx';
import { NewProject } from './NewProject.tsx';
import { projectColumns } from './projectColumns.tsx';
import { useIsWelcome, Welcome } from './Welcome.tsx';

export function Projects() {
  const adding = useAdd('Create project', true);
  const isWelcome = useIsWelcome();
  return (
    <ListScreen
      title="Projects"
      noun="projects"
      endpoint={listProjects}
      input={page => ({ query: { ...ofOwn(), ...page } })}
      searchHint="Name, description, id…"
      columns={projectColumns}
      withRows={(rows, table) => <Fleets projects={rows}>{table}</Fleets>}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      rowLink={({ id }) => ({ to: '/projects/$projectId', params: { projectId: id } })}
      group={({ isSample }) => (isSample ? 'Sample' : 'Projects')}
      before={isWelcome && <Welcome />}
      {...(isWelcome && { fewMax: pageSizes[0] })}
      create={adding.button(isWelcome ? 'plain' : 'primary')}
      empty={
        <EmptyState icon={<Rope />} title="Start with a project" action={adding.button('primary')}>
          A project holds the devices, firmware, apps and users of one product.
        </EmptyState>
      }
    >
      <DeletionNotice />
      {adding.open && <NewProject onClose={adding.close} />}
    </ListScreen>
  );
}

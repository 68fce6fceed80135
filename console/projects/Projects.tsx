import { roleWords } from '#console/membership/roleWords.ts';
import { Welcome } from '#console/onboarding/Welcome.tsx';
import { firstLine } from '#console/ui/firstLine.ts';
import { ProjectsIcon } from '#console/ui/icons.tsx';
import { ListScreen } from '#console/ui/list/ListScreen.tsx';
import type { Column } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { useAdd } from '#console/ui/list/useAdd.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { TimeAgo } from '#console/ui/state/TimeAgo.tsx';
import { listProjects, type Project } from '#contract/project.ts';
import { DeletionNotice } from './DeletionNotice.tsx';
import { NewProject } from './NewProject.tsx';

const columns: readonly Column<Project>[] = [
  {
    id: 'name',
    head: 'Project',
    sort: 'name',
    cell: ({ name, description }) => <TwoLines strong main={name} sub={firstLine(description)} />,
  },
  { id: 'role', head: 'Your role', width: '22%', cell: ({ role }) => roleWords[role] },
  { id: 'id', head: 'Id', width: '28%', cell: ({ id }) => <code>{id}</code> },
  {
    id: 'created',
    head: 'Created',
    sort: 'createdAt',
    width: '16%',
    cell: ({ createdAt }) => <TimeAgo time={createdAt} />,
  },
];

export function Projects() {
  const adding = useAdd('Add project', true);
  return (
    <ListScreen
      title="Projects"
      noun="projects"
      endpoint={listProjects}
      input={page => ({ query: { ...page } })}
      searchHint="Name, description, id…"
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      rowLink={({ id }) => ({ to: '/projects/$projectId', params: { projectId: id } })}
      group={({ isSample }) => (isSample ? 'Sample' : 'Projects')}
      create={adding.button('primary')}
      empty={
        <EmptyState
          icon={<ProjectsIcon size={24} />}
          title="Start with a project"
          action={adding.button('primary')}
        >
          A project holds the devices, firmware, apps and users of one product.
        </EmptyState>
      }
    >
      <Welcome />
      <DeletionNotice />
      {adding.open && <NewProject onClose={adding.close} />}
    </ListScreen>
  );
}

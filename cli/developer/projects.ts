import { limitMax } from '#contract/paging.ts';
import { listProjects } from '#contract/project.ts';
import type { Command } from './command.ts';
import { columns } from './help.ts';

export const projectsList: Command = {
  name: 'projects list',
  says: 'lists the projects the access token can access',
  async run({ client, terminal }) {
    const { items } = await client.call(listProjects, { query: { limit: limitMax, sortBy: 'name:asc' } });
    const rows = items.map(({ id, name, description }) => [id, name, description.split('\n')[0] ?? '']);
    terminal.answer(items, columns([['ID', 'NAME', 'DESCRIPTION'], ...rows]));
  },
};

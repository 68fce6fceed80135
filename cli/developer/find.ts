import { type Bundle, listBundles } from '#contract/bundle.ts';
import { type Channel, listChannels } from '#contract/channel.ts';
import { type Component, listComponents } from '#contract/component.ts';
import { type ComponentVersionRow, listComponentVersions } from '#contract/componentVersion.ts';
import { limitMax } from '#contract/paging.ts';
import { listProjects, type Project, readProject } from '#contract/project.ts';
import { type Call, exits, Failed, UsageFault } from './command.ts';

/** The named project, or the only one that exists. */
export async function theProject({ client, words }: Pick<Call, 'client' | 'words'>): Promise<Project> {
  const named = words.value('project') ?? process.env.MOORING_PROJECT;
  if (named?.startsWith('prj_')) return client.call(readProject, { params: { projectId: named } });
  const query = { limit: limitMax, ...(named && { search: named }) };
  const { items } = await client.call(listProjects, { query });
  const fits = named ? items.filter(({ name }) => sameName(name, named)) : items;
  const [first, second] = fits;
  if (!first)
    throw notFound(
      'PROJECT_NOT_FOUND',
      named ? `There is no project named ${named}.` : 'There is no project.',
    );
  if (!second) return first;
  const ids = fits.map(({ id, name }) => `${id} (${name})`).join(', ');
  throw new UsageFault(`Choose a project with --project: ${ids}.`);
}

export async function findComponent(
  { client }: Pick<Call, 'client'>,
  projectId: string,
  name: string,
): Promise<Component | undefined> {
  const query = { projectId, search: name, limit: limitMax };
  return (await client.call(listComponents, { query })).items.find(one => one.name === name);
}

export async function findVersion(
  { client }: Pick<Call, 'client'>,
  componentId: string,
  name: string,
): Promise<ComponentVersionRow | undefined> {
  const query = { componentId, search: name, limit: limitMax };
  return (await client.call(listComponentVersions, { query })).items.find(one => one.name === name);
}

export interface OfClass {
  projectId: string;
  deviceClass: string;
}

export async function findBundle(
  { client }: Pick<Call, 'client'>,
  { projectId, deviceClass }: OfClass,
  name: string,
): Promise<Bundle | undefined> {
  const query = { projectId, deviceClass, search: name, limit: limitMax };
  return (await client.call(listBundles, { query })).items.find(one => one.name === name || one.id === name);
}

export async function findChannel(
  { client }: Pick<Call, 'client'>,
  { projectId, deviceClass }: OfClass,
  name: string,
): Promise<Channel | undefined> {
  const query = { projectId, deviceClass, limit: limitMax };
  return (await client.call(listChannels, { query })).items.find(one => one.name === name || one.id === name);
}

export const notFound = (reason: string, message: string) => new Failed(exits.notFound, reason, message);

const sameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

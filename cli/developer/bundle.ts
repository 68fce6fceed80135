import { type Bundle, createBundle } from '#contract/bundle.ts';
import { CallFailed } from '#contract/client.ts';
import type { ComponentVersionRow } from '#contract/componentVersion.ts';
import { type Call, type Command, projectOption, UsageFault } from './command.ts';
import { findBundle, findComponent, findVersion, notFound, theProject } from './find.ts';

export const bundleCreate: Command = {
  name: 'bundle create',
  plain: 'COMPONENT=VERSION…',
  count: [1, 50],
  says: 'creates a bundle of versions for a device class',
  options: [
    projectOption,
    { name: 'class', takes: 'CLASS', says: 'the device class', needed: true },
    { name: 'name', takes: 'NAME', says: 'the name of the bundle', needed: true },
    { name: 'description', takes: 'TEXT', says: 'what is new in it' },
  ],
  async run(call) {
    const { client, words, terminal } = call;
    const { id: projectId } = await theProject(call);
    const versions = await Promise.all(words.plain.map(text => versionOf(call, projectId, text)));
    const componentVersionIds = versions.map(({ id }) => id);
    const [name, deviceClass, description] = [
      words.must('name'),
      words.must('class'),
      words.value('description'),
    ];
    const body = { projectId, name, deviceClass, componentVersionIds, ...(description && { description }) };
    try {
      const bundle = await client.call(createBundle, { body });
      terminal.answer(bundle, [`Bundle ${name} created: ${contentsOf(bundle)}`]);
    } catch (error) {
      const same = await sameBundle(call, error, body);
      if (!same) throw error;
      terminal.answer(same, [`Bundle ${name} already exists: ${contentsOf(same)}`]);
    }
  },
};

async function versionOf(call: Call, projectId: string, text: string): Promise<ComponentVersionRow> {
  const [, component = '', version = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (!version) throw new UsageFault(`${text} does not have the form COMPONENT=VERSION.`);
  const found = await findComponent(call, projectId, component);
  if (!found) throw notFound('COMPONENT_NOT_FOUND', `There is no component named ${component}.`);
  const wanted = await findVersion(call, found.id, version);
  if (!wanted)
    throw notFound('COMPONENT_VERSION_NOT_FOUND', `Component ${component} has no version ${version}.`);
  return wanted;
}

interface Wanted {
  projectId: string;
  deviceClass: string;
  name: string;
  componentVersionIds: readonly string[];
}

/** Returns the existing bundle if it is the same, so that a pipeline can run again. */
async function sameBundle(call: Call, error: unknown, wanted: Wanted): Promise<Bundle | undefined> {
  if (!(error instanceof CallFailed) || error.reason !== 'NAME_TAKEN') return undefined;
  const found = await findBundle(call, wanted, wanted.name);
  const has = new Set(found?.components.map(({ versionId }) => versionId));
  const isSame =
    has.size === wanted.componentVersionIds.length && wanted.componentVersionIds.every(id => has.has(id));
  return isSame ? found : undefined;
}

const contentsOf = ({ components }: Bundle) =>
  components.map(({ componentName, versionName }) => `${componentName} ${versionName}`).join(', ');

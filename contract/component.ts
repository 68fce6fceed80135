import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { descriptionMax, line, revision, text, time } from './shapes.ts';

export const componentsMax = 200;
/** The maximum number of versions listed in a component. */
export const versionsNamedMax = 100;
export const componentNameMax = 64;
/** Devices with a file system name a file after the component. */
const componentName = line(componentNameMax).regex(/^(?!\.)[^/]*$/);
export const signingKeysMax = 5;

export const versionStates = ['empty', 'uploading', 'verifying', 'ready', 'failed'] as const;
export type VersionState = (typeof versionStates)[number];

/** An Ed25519 public key of the developer: its 32 bytes in base64. */
export const SigningKey = z.strictObject({
  id: line(40),
  publicKey: z.string().regex(/^[A-Za-z0-9+/]{43}=$/),
});

export const Component = z.object({
  id: z.string(),
  projectId: z.string(),
  name: z.string(),
  description: z.string(),
  /** Newest first, at most 100. Only versions that are `ready` can be part of a bundle. */
  versions: z.array(z.object({ id: z.string(), name: z.string(), state: z.enum(versionStates) })),
  versionCount: z.number().int(),
  /** If there are any, each version must be signed with one of them. */
  signingKeys: z.array(SigningKey),
  createdAt: time,
  revision,
});
export type Component = z.output<typeof Component>;

const ofProject = ['PROJECT_NOT_DEFINED', 'PROJECT_NOT_FOUND', 'NOT_A_MEMBER'] as const;
const reasons = ['COMPONENT_NOT_FOUND'] as const;
const changing = [...reasons, 'ROLE_TOO_LOW', 'STALE'] as const;

export const listComponents = endpoint('listComponents', 'GET /components', {
  summary: 'Lists the components of a project: the parts of a device that have their own firmware.',
  access: { role: 'viewer', of: 'project' },
  query: z.strictObject({ projectId: z.string().max(64), ...pagingQuery }),
  list: { sortBy: ['name', 'createdAt'], default: 'name:asc' },
  answer: z.array(Component),
  reasons: ofProject,
});

export const createComponent = endpoint('createComponent', 'POST /components', {
  summary: 'Creates a component. Devices know it by its name.',
  access: { role: 'developer', of: 'project' },
  tokenScope: 'firmware',
  body: z.strictObject({
    projectId: z.string().max(64),
    name: componentName,
    description: text(descriptionMax).optional(),
  }),
  answer: Component,
  reasons: [...ofProject, 'ROLE_TOO_LOW', 'NAME_TAKEN', 'TOO_MANY_COMPONENTS'],
  audit: 'Component {name} created',
});

export const readComponent = endpoint('readComponent', 'GET /components/:componentId', {
  summary: 'Retrieves a component.',
  access: { role: 'viewer', of: 'component' },
  answer: Component,
  reasons,
});

export const editComponent = endpoint('editComponent', 'PATCH /components/:componentId', {
  summary:
    'Updates a component. If it is part of a bundle, its name cannot change, because devices know it by that name.',
  access: { role: 'developer', of: 'component' },
  tokenScope: 'firmware',
  body: z
    .strictObject({
      name: componentName,
      description: text(descriptionMax),
      signingKeys: z.array(SigningKey).max(signingKeysMax),
    })
    .partial(),
  answer: Component,
  reasons: [...changing, 'NAME_TAKEN', 'NAME_IN_USE'],
  audit: 'Component {name} updated',
  makesOld: ['componentVersions', 'bundles'],
});

export const deleteComponent = endpoint('deleteComponent', 'DELETE /components/:componentId', {
  summary:
    'Deletes a component with its versions and their files. If a bundle contains one, `context` names the bundles.',
  access: { role: 'developer', of: 'component' },
  tokenScope: 'firmware',
  reasons: [...changing, 'DEPENDENCY_RESTRICTION'],
  audit: 'Component {name} deleted',
  makesOld: ['componentVersions'],
});

export const ComponentUse = z.object({
  bundles: z.array(z.object({ id: z.string(), name: z.string(), deviceClass: z.string() })),
});
export type ComponentUse = z.output<typeof ComponentUse>;

export const readComponentUse = endpoint('readComponentUse', 'GET /components/:componentId/use', {
  summary: 'Lists up to 100 bundles that contain a version of a component.',
  access: { role: 'viewer', of: 'component' },
  answer: ComponentUse,
  reasons,
});

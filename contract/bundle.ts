import { z } from 'zod';
import { idMax } from '#rules/chosenId.ts';
import { endpoint } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { descriptionMax, line, revision, text, time } from './shapes.ts';

export const bundlesMax = 5000;
export const bundleNameMax = 100;
/** Limit per bundle. */
export const bundleComponentsMax = 50;

export const Bundle = z.object({
  id: z.string(),
  projectId: z.string(),
  name: z.string(),
  description: z.string(),
  deviceClass: z.string(),
  components: z.array(
    z.object({
      componentId: z.string(),
      componentName: z.string(),
      versionId: z.string(),
      versionName: z.string(),
      sizeBytes: z.number().int(),
    }),
  ),
  /** How many channels point at it. */
  channelCount: z.number().int(),
  /** How many devices report it as installed. */
  deviceCount: z.number().int(),
  /** How many devices are pinned to it. */
  pinnedCount: z.number().int(),
  createdBy: z.object({ id: z.string(), name: z.string() }).optional(),
  createdAt: time,
  revision,
});
export type Bundle = z.output<typeof Bundle>;

const ofProject = ['PROJECT_NOT_DEFINED', 'PROJECT_NOT_FOUND', 'NOT_A_MEMBER'] as const;
const reasons = ['BUNDLE_NOT_FOUND'] as const;
const changing = [...reasons, 'ROLE_TOO_LOW', 'STALE'] as const;

export const listBundles = endpoint('listBundles', 'GET /bundles', {
  summary: 'Lists the bundles of a project: sets of component versions for a device class.',
  access: { role: 'viewer', of: 'project' },
  query: z.strictObject({
    projectId: z.string().max(64),
    deviceClass: z.string().max(idMax).optional(),
    ...pagingQuery,
  }),
  list: { sortBy: ['name', 'createdAt', 'deviceClass'], default: 'createdAt:desc' },
  answer: z.array(Bundle),
  reasons: ofProject,
});

/** A bundle as a choice. */
export const BundleName = Bundle.pick({ id: true, name: true, deviceClass: true, deviceCount: true });
export type BundleName = z.output<typeof BundleName>;

export const listBundleNames = endpoint('listBundleNames', 'GET /bundles/names', {
  summary:
    'Lists the names of all bundles of a project, newest first, with how many devices run each: a small answer for choices and filters.',
  access: { role: 'viewer', of: 'project' },
  query: z.strictObject({
    projectId: z.string().max(64),
    deviceClass: z.string().max(idMax).optional(),
  }),
  answer: z.array(BundleName),
  reasons: ofProject,
});

export const createBundle = endpoint('createBundle', 'POST /bundles', {
  summary:
    'Creates a bundle with one version per component. Its contents cannot change later, because devices run it. Create a new bundle instead.',
  access: { role: 'developer', of: 'project' },
  tokenScope: 'firmware',
  body: z.strictObject({
    projectId: z.string().max(64),
    name: line(bundleNameMax),
    description: text(descriptionMax).optional(),
    deviceClass: z.string().max(idMax),
    componentVersionIds: z.array(z.string().max(64)).min(1).max(bundleComponentsMax),
  }),
  answer: Bundle,
  reasons: [
    ...ofProject,
    'ROLE_TOO_LOW',
    'DEVICE_CLASS_NOT_FOUND',
    'COMPONENT_VERSION_NOT_FOUND',
    'VERSION_NOT_READY',
    'COMPONENT_TWICE',
    'NAME_TAKEN',
    'TOO_MANY_BUNDLES',
  ],
  audit: 'Bundle {name} created',
  makesOld: ['components', 'componentVersions'],
});

export const readBundle = endpoint('readBundle', 'GET /bundles/:bundleId', {
  summary: 'Retrieves a bundle.',
  access: { role: 'viewer', of: 'bundle' },
  answer: Bundle,
  reasons,
});

export const editBundle = endpoint('editBundle', 'PATCH /bundles/:bundleId', {
  summary: 'Updates the name or description of a bundle.',
  access: { role: 'developer', of: 'bundle' },
  tokenScope: 'firmware',
  body: z.strictObject({ name: line(bundleNameMax), description: text(descriptionMax) }).partial(),
  answer: Bundle,
  reasons: [...changing, 'NAME_TAKEN'],
  audit: 'Bundle {name} updated',
  makesOld: ['channels', 'rollouts', 'devices'],
});

export const deleteBundle = endpoint('deleteBundle', 'DELETE /bundles/:bundleId', {
  summary:
    'Deletes a bundle that no channel, rollout or device uses. If one does, `context` names the channels and rollouts, and counts the devices.',
  access: { role: 'developer', of: 'bundle' },
  tokenScope: 'firmware',
  reasons: [...changing, 'DEPENDENCY_RESTRICTION'],
  audit: 'Bundle {name} deleted',
  makesOld: ['components', 'componentVersions'],
});

export const BundleUse = z.object({
  channels: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Unfinished rollouts that lead to the bundle, or would roll back to it. */
  rollouts: z.array(z.object({ id: z.string(), channelId: z.string(), state: z.string() })),
  deviceCount: z.number().int(),
  pinnedCount: z.number().int(),
  /** How many devices are currently updating to the bundle. */
  updatingCount: z.number().int(),
  /** Devices whose update to the bundle failed or was lost, by cause, most frequent first, at most 5 causes. */
  failures: z.array(z.object({ code: z.string(), devices: z.number().int() })),
});
export type BundleUse = z.output<typeof BundleUse>;

export const readBundleUse = endpoint('readBundleUse', 'GET /bundles/:bundleId/use', {
  summary:
    'Lists the channels and rollouts that use a bundle, and counts the devices that run it, are updating to it, failed to, or are pinned to it.',
  access: { role: 'viewer', of: 'bundle' },
  answer: BundleUse,
  reasons,
});

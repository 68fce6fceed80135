import { z } from 'zod';
import { versionStates } from './component.ts';
import { endpoint } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { line, revision, time } from './shapes.ts';

/** Limit per component. */
export const versionsMax = 1000;
export const versionBytesMax = 2 * 1024 ** 3;
/** The default size of a part. */
export const partBytesDefault = 8 * 1024 ** 2;
export const partBytesMax = 64 * 1024 ** 2;
/** Limits of S3: no more parts than this, and none but the last smaller than 5 MiB. */
export const partsMax = 2048;
export const partBytesMin = 5 * 1024 ** 2;
export const versionNameMax = 64;
export const filenameMax = 200;

/** The signature of a version's file: 64 bytes in base64. The device protocol says what is signed. */
export const Signature = z.strictObject({
  keyId: line(40),
  value: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
});
export type Signature = z.output<typeof Signature>;

export const ComponentVersion = z.object({
  id: z.string(),
  projectId: z.string(),
  componentId: z.string(),
  componentName: z.string(),
  name: z.string(),
  state: z.enum(versionStates),
  /** Why the last upload was rejected. */
  error: z.string().optional(),
  filename: z.string().optional(),
  /** The download URL of the file, valid for 15 minutes. */
  url: z.string().optional(),
  /** SHA-256 of the file, in hexadecimal digits. */
  checksum: z.string().optional(),
  sizeBytes: z.number().int().optional(),
  /** The JSON Schema that the device's config must match. */
  deviceConfigSchema: z.union([z.boolean(), z.record(z.string(), z.unknown())]).optional(),
  /** A device never installs a version with a lower security version. */
  securityVersion: z.number().int(),
  signature: Signature.optional(),
  /** The upload in progress. */
  uploadId: z.string().optional(),
  /** How many bundles contain the version. */
  bundleCount: z.number().int(),
  /** How many devices report a bundle as installed that contains the version. */
  deviceCount: z.number().int(),
  createdBy: z.object({ id: z.string(), name: z.string() }).optional(),
  createdAt: time,
  revision,
});
export type ComponentVersion = z.output<typeof ComponentVersion>;

/** The subset of a version that lists return. */
export const ComponentVersionRow = ComponentVersion.omit({
  deviceConfigSchema: true,
  signature: true,
  url: true,
});
export type ComponentVersionRow = z.output<typeof ComponentVersionRow>;

const componentReasons = ['COMPONENT_NOT_FOUND'] as const;
const reasons = ['COMPONENT_VERSION_NOT_FOUND'] as const;
const changing = [...reasons, 'ROLE_TOO_LOW', 'STALE'] as const;
const uploadReasons = [...reasons, 'ROLE_TOO_LOW', 'UPLOAD_NOT_FOUND'] as const;

export const listComponentVersions = endpoint('listComponentVersions', 'GET /componentVersions', {
  summary: 'Lists the versions of a component.',
  access: { role: 'viewer', of: 'component' },
  query: z.strictObject({ componentId: z.string().max(64), ...pagingQuery }),
  list: { sortBy: ['createdAt', 'name', 'sizeBytes'], default: 'createdAt:desc' },
  answer: z.array(ComponentVersionRow),
  reasons: componentReasons,
});

const versionFields = {
  name: line(versionNameMax),
  deviceConfigSchema: z.union([z.boolean(), z.record(z.string(), z.unknown())]),
  securityVersion: z.number().int().min(0).max(2_147_483_647),
};

export const createComponentVersion = endpoint('createComponentVersion', 'POST /componentVersions', {
  summary: 'Creates a version of a component. Upload its file next.',
  access: { role: 'developer', of: 'component' },
  tokenScope: 'firmware',
  body: z.strictObject({
    componentId: z.string().max(64),
    name: versionFields.name,
    deviceConfigSchema: versionFields.deviceConfigSchema.optional(),
    securityVersion: versionFields.securityVersion.optional(),
  }),
  answer: ComponentVersion,
  reasons: [...componentReasons, 'ROLE_TOO_LOW', 'NAME_TAKEN', 'INVALID_SCHEMA', 'TOO_MANY_VERSIONS'],
  audit: 'Version {name} of component {componentName} created',
  makesOld: ['components'],
});

export const readComponentVersion = endpoint('readComponentVersion', 'GET /componentVersions/:versionId', {
  summary: 'Retrieves a version. It has a `url` and a `checksum` when its file has been verified.',
  access: { role: 'viewer', of: 'componentVersion' },
  answer: ComponentVersion,
  reasons,
});

export const editComponentVersion = endpoint('editComponentVersion', 'PATCH /componentVersions/:versionId', {
  summary:
    'Updates a version. Once a bundle contains it, only its config schema can change. Setting the schema or signature to null removes it.',
  access: { role: 'developer', of: 'componentVersion' },
  tokenScope: 'firmware',
  body: z
    .strictObject({
      name: versionFields.name,
      deviceConfigSchema: versionFields.deviceConfigSchema.nullable(),
      securityVersion: versionFields.securityVersion,
      signature: Signature.nullable(),
    })
    .partial(),
  answer: ComponentVersion,
  reasons: [...changing, 'NAME_TAKEN', 'NAME_IN_USE', 'INVALID_SCHEMA', 'SIGNATURE_INVALID'],
  audit: 'Version {name} of component {componentName} updated',
  makesOld: ['components', 'bundles'],
});

export const deleteComponentVersion = endpoint(
  'deleteComponentVersion',
  'DELETE /componentVersions/:versionId',
  {
    summary: 'Deletes a version and its file. If a bundle contains it, `context` names the bundles.',
    access: { role: 'developer', of: 'componentVersion' },
    tokenScope: 'firmware',
    reasons: [...changing, 'DEPENDENCY_RESTRICTION'],
    audit: 'Version {name} of component {componentName} deleted',
    makesOld: ['components'],
  },
);

export const VersionUse = z.object({
  bundles: z.array(z.object({ id: z.string(), name: z.string(), deviceClass: z.string() })),
  /** Devices that run the version, by the bundle that they report as installed. */
  devices: z.array(z.object({ bundleId: z.string(), deviceClass: z.string(), count: z.number().int() })),
});
export type VersionUse = z.output<typeof VersionUse>;

export const readVersionUse = endpoint('readVersionUse', 'GET /componentVersions/:versionId/use', {
  summary: 'Lists up to 100 bundles that contain a version, and counts the devices that run them.',
  access: { role: 'viewer', of: 'componentVersion' },
  answer: VersionUse,
  reasons,
});

/** The upload of a version’s file in parts. Parts can be sent in any order, in parallel and repeatedly. */
export const VersionUpload = z.object({
  uploadId: z.string(),
  filename: z.string(),
  /** 0 while it is not known: the upload was started without `bytes`, and its part has not arrived. */
  sizeBytes: z.number().int(),
  /** All parts but the last have this size; without `bytes`, the only part has at most this size. */
  partBytes: z.number().int(),
  sha256: z.string().optional(),
  /** The URL to PUT each part to, in order. */
  urls: z.array(z.string()),
  /** The same, if there is one part. */
  url: z.string().optional(),
  /** The numbers of the stored parts, starting at 1. */
  stored: z.array(z.number().int()),
  /** `verifying`: the upload is complete and the whole file is being read. */
  state: z.enum(['open', 'verifying']),
  expiresAt: time,
});
export type VersionUpload = z.output<typeof VersionUpload>;

export const startVersionUpload = endpoint(
  'startVersionUpload',
  'POST /componentVersions/:versionId/uploads',
  {
    summary:
      'Starts the upload of a version’s file. PUT each part to its URL, with `Content-Digest` if you like, then complete the upload. Without `bytes`, the file is one part (`parts` is 1) of up to 64 MiB, and its size is known once it has arrived. Replaces an unfinished upload of the version.',
    access: { role: 'developer', of: 'componentVersion' },
    tokenScope: 'firmware',
    body: z
      .strictObject({
        /** Absent: made of the names of component and version. */
        filename: z.string().min(1).max(filenameMax).optional(),
        /** The size of the file. Required unless it is sent as one part. */
        bytes: z.number().int().min(1).max(versionBytesMax).optional(),
        /** The number of parts. Absent: parts of 8 MiB. */
        parts: z.number().int().min(1).max(partsMax).optional(),
        /** The SHA-256 of the whole file, in hexadecimal digits; the uploaded file must match it. */
        sha256: z
          .string()
          .regex(/^[0-9a-f]{64}$/i)
          .optional(),
      })
      .meta({ examples: [{ filename: 'camera-1.4.0.bin', bytes: 184_120 }] }),
    answer: VersionUpload,
    reasons: [...reasons, 'ROLE_TOO_LOW', 'VERSION_HAS_FILE', 'PARTS_UNFIT'],
    audit: 'Upload to version {name} of component {componentName} started',
    makesOld: ['componentVersions', 'components'],
  },
);

export const readVersionUpload = endpoint(
  'readVersionUpload',
  'GET /componentVersions/:versionId/uploads/:uploadId',
  {
    summary: 'Retrieves an unfinished upload, so that it can be resumed.',
    access: { role: 'developer', of: 'componentVersion' },
    tokenScope: 'firmware',
    answer: VersionUpload,
    reasons: uploadReasons,
  },
);

export const completeVersionUpload = endpoint(
  'completeVersionUpload',
  'POST /componentVersions/:versionId/uploads/:uploadId',
  {
    summary:
      'Completes an upload. The platform reads the whole file and verifies its size, checksum and signature; the version is `verifying` until then, and `ready` or `failed` afterwards. The call can be repeated.',
    access: { role: 'developer', of: 'componentVersion' },
    tokenScope: 'firmware',
    body: z.strictObject({
      sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/i)
        .optional(),
      signature: Signature.optional(),
    }),
    answer: ComponentVersion,
    reasons: [...uploadReasons, 'PARTS_MISSING'],
    audit: 'Upload to version {name} of component {componentName} completed',
    makesOld: ['componentVersions', 'components'],
  },
);

export const cancelVersionUpload = endpoint(
  'cancelVersionUpload',
  'DELETE /componentVersions/:versionId/uploads/:uploadId',
  {
    summary: 'Cancels an upload and removes its stored parts.',
    access: { role: 'developer', of: 'componentVersion' },
    tokenScope: 'firmware',
    reasons: [...uploadReasons, 'UPLOAD_OVER'],
    audit: 'Upload to version {name} of component {componentName} cancelled',
    makesOld: ['componentVersions', 'components'],
  },
);

import { z } from 'zod';
import { deviceFilters, listDevices } from './device.ts';
import { endpoint } from './endpoint.ts';
import { pagingQuery, searchMax } from './paging.ts';
import { line, revision, time } from './shapes.ts';

export const viewsMax = 50;
/** In characters. */
export const viewNameMax = 60;

const { sortBy } = listDevices.list;

/** The query of `GET /devices`, without project and page. */
const viewQuery = z.strictObject({
  ...deviceFilters,
  claimed: z.boolean().optional(),
  suspended: z.boolean().optional(),
  search: z.string().max(searchMax).optional(),
  sortBy: z
    .string()
    .regex(new RegExp(`^(${sortBy.join('|')}):(asc|desc)$`))
    .optional(),
});
export type DeviceViewQuery = z.output<typeof viewQuery>;

export const DeviceView = z.object({
  id: z.string(),
  projectId: z.string(),
  name: z.string(),
  query: viewQuery,
  createdAt: time,
  revision,
});
export type DeviceView = z.output<typeof DeviceView>;

const ofProject = ['PROJECT_NOT_DEFINED', 'PROJECT_NOT_FOUND', 'NOT_A_MEMBER'] as const;
const changing = ['VIEW_NOT_FOUND', 'ROLE_TOO_LOW', 'STALE'] as const;

export const listDeviceViews = endpoint('listDeviceViews', 'GET /deviceViews', {
  summary:
    'Lists the saved views of a project. A view is a named search, filter and order of the device list, shared by the team.',
  access: { role: 'viewer', of: 'project' },
  query: z.strictObject({ projectId: z.string().max(64), ...pagingQuery }),
  list: { sortBy: ['name', 'createdAt'], default: 'name:asc', whole: true },
  answer: z.array(DeviceView),
  reasons: ofProject,
});

export const createDeviceView = endpoint('createDeviceView', 'POST /deviceViews', {
  summary: 'Saves a view. Its query takes the parameters of `GET /devices`.',
  access: { role: 'developer', of: 'project' },
  body: z.strictObject({ projectId: z.string().max(64), name: line(viewNameMax), query: viewQuery }),
  answer: DeviceView,
  reasons: [...ofProject, 'ROLE_TOO_LOW', 'NAME_TAKEN', 'TOO_MANY_VIEWS'],
  audit: 'Device view {name} saved',
});

export const editDeviceView = endpoint('editDeviceView', 'PATCH /deviceViews/:viewId', {
  summary: 'Renames a view, or changes its query.',
  access: { role: 'developer', of: 'deviceView' },
  body: z.strictObject({ name: line(viewNameMax), query: viewQuery }).partial(),
  answer: DeviceView,
  reasons: [...changing, 'NAME_TAKEN'],
  audit: 'Device view {name} changed',
});

export const deleteDeviceView = endpoint('deleteDeviceView', 'DELETE /deviceViews/:viewId', {
  summary: 'Deletes a view. The devices it lists are not affected.',
  access: { role: 'developer', of: 'deviceView' },
  reasons: changing,
  audit: 'Device view {name} deleted',
});

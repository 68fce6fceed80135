import { z } from 'zod';
import { endpoint, roles } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { line, revision, text, time } from './shapes.ts';

export const Project = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  isSample: z.boolean(),
  /** What the caller may do in it. */
  role: z.enum(roles),
  createdAt: time,
  revision,
});
export type Project = z.output<typeof Project>;

export const listProjects = endpoint('listProjects', 'GET /projects', {
  summary: 'Lists the projects you are a member of.',
  access: 'verified',
  query: z.strictObject({ developerId: z.string().max(64).optional(), ...pagingQuery }),
  list: { sortBy: ['name', 'createdAt'], default: 'name:asc' },
  answer: z.array(Project),
  reasons: ['NOT_ALLOWED'],
});

export const createProject = endpoint('createProject', 'POST /projects', {
  summary: 'Creates a project; you become its owner.',
  access: 'verified',
  body: z.strictObject({ name: line(200), description: text(2000).optional() }),
  answer: Project,
  reasons: ['PROJECT_LIMIT_REACHED'],
  audit: 'Project {name} created',
});

export const readProject = endpoint('readProject', 'GET /projects/:projectId', {
  summary: 'Reads one project.',
  access: { role: 'viewer', of: 'project' },
  answer: Project,
  reasons: ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'],
});

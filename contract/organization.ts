import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const Organization = z.object({
  id: z.string(),
  name: z.string(),
  openToSignUps: z.boolean(),
});
export type Organization = z.output<typeof Organization>;

export const findOrganization = endpoint('findOrganization', 'GET /organizations/', {
  summary: 'Looks up the organization of a console address.',
  access: 'public',
  query: z.strictObject({ devConsoleBaseUrl: z.string().max(2048) }),
  answer: z.array(Organization),
});

export const readOrganization = endpoint('readOrganization', 'GET /organizations/:org', {
  summary: 'Retrieves an organization.',
  access: 'public',
  answer: Organization,
  reasons: ['ORG_NOT_FOUND'],
});

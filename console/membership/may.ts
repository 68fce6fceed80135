import { type Endpoint, type Role, roles } from '#contract/endpoint.ts';

/** Whether a role is enough for a call on a project's rows, as the contract says. */
export function may(role: Role, { access }: Endpoint): boolean {
  return typeof access !== 'object' || roles.indexOf(role) >= roles.indexOf(access.role);
}

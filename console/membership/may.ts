import { session } from '#console/session.ts';
import { type Endpoint, type Role, roles } from '#contract/endpoint.ts';

/** Whether a role is enough for a call on a project's rows, as the contract says, and a support session may make it. */
export function may(role: Role, { access, notForSudo }: Endpoint): boolean {
  if (notForSudo && session.get()?.developer.sudoer) return false;
  return typeof access !== 'object' || roles.indexOf(role) >= roles.indexOf(access.role);
}

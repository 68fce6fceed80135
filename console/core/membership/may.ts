import { session } from '#console/core/session.ts';
import { type Endpoint, type Role, roles } from '#contract/endpoint.ts';

/**
 * Whether a role is sufficient for a call on a project's rows, as declared in the contract, and the call is allowed in
 * a support session.
 */
export function may(role: Role, { access, notForSudo }: Endpoint): boolean {
  if (notForSudo && session.get()?.developer.sudoer) return false;
  return typeof access !== 'object' || roles.indexOf(role) >= roles.indexOf(access.role);
}

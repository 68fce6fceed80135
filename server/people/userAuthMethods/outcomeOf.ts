import type { Platform } from '#server/infra/platform.ts';
import { boundedClaims } from './claims.ts';
import type { Outcome } from './flows.ts';
import type { SignInSecrets } from './signIn.ts';
import { findClient } from './store.ts';

/** The parameters with which a browser comes back from a provider. */
interface BroughtBack {
  state?: string | undefined;
  code?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
  error_description?: string | undefined;
  requestId: string;
}

/**
 * Finishes a sign-in at the provider of a method: returns the claims about the person, or in a sentence why it failed.
 */
export async function outcomeOf(
  platform: Platform,
  { projectId, methodId }: { projectId: string; methodId: string },
  { state = '', code, iss, error, error_description: said, requestId }: BroughtBack,
  secrets: SignInSecrets,
): Promise<Outcome> {
  if (error !== undefined)
    return { fault: `The provider ended the sign-in: ${error}${said ? ` (${said})` : ''}.` };
  if (code === undefined) return { fault: 'The provider redirected the browser back without a code.' };
  const client = await findClient(platform.db, projectId, methodId);
  if (!client) return { fault: `Sign-in method ${methodId} does not exist.` };
  // Loaded at the first sign-in, because most servers never need it.
  const { finishSignIn, signInFault } = await import('./signIn.ts');
  try {
    return { claims: boundedClaims(await finishSignIn(platform, client, { state, code, iss }, secrets)) };
  } catch (problem) {
    const fault = signInFault(problem);
    if (fault === undefined) {
      const detail = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
      platform.log('error', 'A sign-in could not be completed', { requestId, error: detail });
    }
    return { fault: fault ?? 'Mooring could not complete the sign-in. Start it again.' };
  }
}

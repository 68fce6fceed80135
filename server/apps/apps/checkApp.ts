import { appConfigBytesMax } from '#contract/app.ts';
import { Problem } from '#contract/problem.ts';
import { isRedirect } from '#rules/apps/redirects.ts';
import { storedEventNames } from '#server/api/endpoints/subscribedEvents.ts';
import type { AppEdit } from './store.ts';

/** Validates the fields of an app and returns them as they are stored. */
export function checkApp<Given extends AppEdit>(given: Given): Given {
  const { config, redirects } = given;
  if (config && Buffer.byteLength(JSON.stringify(config)) > appConfigBytesMax)
    throw new Problem('TOO_LARGE', {
      message: 'The config can have at most 64 KiB.',
      fields: { config: 'TOO_LARGE' },
    });
  const unfit = redirects?.findIndex(redirect => !isRedirect(redirect)) ?? -1;
  if (unfit >= 0)
    throw new Problem('REDIRECT_UNFIT', { fields: { [`redirects.${unfit}`]: 'REDIRECT_UNFIT' } });
  return {
    ...given,
    ...(redirects && { redirects: [...new Set(redirects)] }),
    ...(given.subscribedEvents && { subscribedEvents: storedEventNames(given.subscribedEvents) }),
  };
}

import { appConfigBytesMax } from '#contract/app.ts';
import { Problem } from '#contract/problem.ts';
import { isRedirect } from '#rules/redirects.ts';
import { allEvents, normalEventNames } from '#rules/subscribedEvents.ts';
import type { AppEdit } from './store.ts';

/** The fields of an app as they are stored. */
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
    ...(given.subscribedEvents && { subscribedEvents: eventsOf(given.subscribedEvents) }),
  };
}

function eventsOf(names: readonly string[]): string[] {
  const stored = normalEventNames(names);
  if (stored.length === 1 || !stored.includes(allEvents)) return stored;
  throw new Problem('INVALID_FIELDS', {
    message: 'The name * means all events. Send it alone, or name the events.',
    fields: { subscribedEvents: 'INVALID' },
  });
}

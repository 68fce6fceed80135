import { Problem } from '#contract/problem.ts';
import type { ProxyRoute } from '#contract/proxyRoute.ts';
import { OutsideFault, refused } from '#server/infra/outside/faults.ts';
import type { Platform } from '#server/infra/platform.ts';

/** The resource that each kind of filter belongs to. */
const filters = {
  homeIds: 'home',
  deviceClasses: 'device',
  entityClasses: 'entity',
  entityIds: 'entity',
} as const;

type Filters = { [N in keyof typeof filters]?: readonly unknown[] | undefined };

/** Refuses a filter of another resource: it would seem to limit the route, but have no effect. */
export function checkFilters({ resource, ...given }: { resource: ProxyRoute['resource'] } & Filters): void {
  for (const [name, of] of Object.entries(filters) as [keyof typeof filters, string][])
    if (of !== resource && (given[name]?.length ?? 0) > 0)
      throw new Problem('PROXY_FILTER_UNFIT', { fields: { [name]: 'PROXY_FILTER_UNFIT' } });
}

/** A target as it is stored: as a normalized URL without a trailing slash. Checks that it may be called. */
export async function checkTargetUrl({ outside }: Pick<Platform, 'outside'>, given: string): Promise<string> {
  try {
    await outside.checkOutside(given);
    if (given.includes('?')) throw refused('It must not contain a question mark.');
  } catch (error) {
    throw withField(error instanceof OutsideFault ? refused(error.message) : error);
  }
  const { origin, pathname } = new URL(given);
  return `${origin}${pathname}`.replace(/\/+$/, '');
}

function withField(error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  const { reason, message, context } = error;
  return new Problem(reason, { message, context, fields: { targetUrl: reason } });
}

/** Removes duplicates from lists. */
export function withoutRepetitions<Edit extends object>(edit: Edit): Edit {
  const entries = Object.entries(edit).map(([name, value]) => [
    name,
    Array.isArray(value) ? [...new Set(value)] : value,
  ]);
  return Object.fromEntries(entries) as Edit;
}

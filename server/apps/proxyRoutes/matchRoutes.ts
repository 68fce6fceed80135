import type { HomeRole } from '#contract/home.ts';
import { Problem } from '#contract/problem.ts';
import type { ProxyTest } from '#contract/proxyCall.ts';
import type { ProxyResource } from '#contract/proxyRoute.ts';
import { restBelow } from '#rules/apps/proxyPaths.ts';
import type { Matched } from './knownRoutes.ts';

/** The properties of a call's subject by which routes are chosen. */
export interface Subject {
  resource: ProxyResource;
  homeId?: string | undefined;
  deviceId?: string | undefined;
  deviceClass?: string | undefined;
  entityId?: string | undefined;
  entityClass?: string | undefined;
  /** The role of the user in the home. */
  role?: HomeRole | undefined;
}

type Verdict = ProxyTest['routes'][number]['verdict'];

/** The route for a path, even if it refuses the call: a call meant for one route must not fall through to another. */
function chooseRoute<R extends Matched>(routes: readonly R[], subject: Subject, path: string): R | undefined {
  let best: R | undefined;
  for (const route of routes)
    if (misfitOf(route, subject, path) === undefined && (!best || whyBehind(best, route) === undefined))
      best = route;
  return best;
}

/** Why the chosen route refuses the call of this user; undefined if it accepts it. */
function refusalOf(route: Matched, { role }: Subject): 'suspended' | 'role' | undefined {
  if (route.suspended) return 'suspended';
  return role !== undefined && !route.homeRoles.includes(role) ? 'role' : undefined;
}

/** The route that handles a call; throws if there is none. */
export function takingRoute<R extends Matched>(routes: readonly R[], subject: Subject, path: string): R {
  const route = chooseRoute(routes, subject, path);
  const refusal = route && refusalOf(route, subject);
  if (!route || refusal === 'suspended') throw new Problem('NO_PROXY_ROUTE');
  if (refusal === 'role') throw new Problem('HOME_RIGHT_MISSING');
  return route;
}

/** Why a route does not match. */
function misfitOf(route: Matched, subject: Subject, path: string): Verdict | undefined {
  if (route.resource !== subject.resource) return 'resource';
  if (restBelow(route.sourcePath, path) === undefined) return 'path';
  if (!isAmong(route.homeIds, Number(subject.homeId)) && subject.resource === 'home') return 'home';
  if (!isAmong(route.deviceClasses, subject.deviceClass) && subject.resource === 'device')
    return 'deviceClass';
  if (subject.resource !== 'entity') return undefined;
  if (!isAmong(route.entityClasses, subject.entityClass)) return 'entityClass';
  return isAmong(route.entityIds, subject.entityId) ? undefined : 'entity';
}

const isAmong = (wanted: readonly unknown[], value: unknown) => wanted.length === 0 || wanted.includes(value);

/** Why the other route takes precedence over this one; undefined if it does not. */
function whyBehind(route: Matched, other: Matched): Verdict | undefined {
  const [length, otherLength] = [lengthOf(route), lengthOf(other)];
  if (length !== otherLength) return length > otherLength ? 'shorter' : undefined;
  const [filters, otherFilters] = [filtersOf(route), filtersOf(other)];
  if (filters !== otherFilters) return filters > otherFilters ? 'lessSpecific' : undefined;
  return route.id < other.id ? 'younger' : undefined;
}

const lengthOf = ({ sourcePath }: Matched) => (sourcePath === '/' ? 0 : sourcePath.length);
const filtersOf = ({ homeIds, deviceClasses, entityClasses, entityIds }: Matched) =>
  [homeIds, deviceClasses, entityClasses, entityIds].filter(list => list.length > 0).length;

/** The verdict on each route: the chosen route first, then the others that match. */
export function explainRoutes(
  routes: readonly Matched[],
  subject: Subject,
  path: string,
): (Weighed & { route: Matched })[] {
  const chosen = chooseRoute(routes, subject, path);
  const weighed = routes.map(route => ({ route, ...weigh(route, chosen, subject, path) }));
  const rank = ({ route, verdict }: { route: Matched; verdict: Verdict }) =>
    route === chosen
      ? 0
      : ['shorter', 'lessSpecific', 'younger'].includes(verdict)
        ? 1
        : verdict === 'resource'
          ? 3
          : 2;
  return weighed.toSorted((a, b) => rank(a) - rank(b));
}

interface Weighed {
  takes: boolean;
  verdict: Verdict;
  text: string;
}

function weigh(route: Matched, chosen: Matched | undefined, subject: Subject, path: string): Weighed {
  const misfit = misfitOf(route, subject, path);
  if (misfit) return { takes: false, verdict: misfit, text: sentences[misfit](route, subject) };
  const verdict =
    route === chosen
      ? (refusalOf(route, subject) ?? 'takes')
      : ((chosen && whyBehind(chosen, route)) ?? 'younger');
  return { takes: verdict === 'takes', verdict, text: sentences[verdict](route, subject) };
}

const nouns: Record<ProxyResource, [one: string, many: string]> = {
  project: ['the project', 'the project'],
  home: ['a home', 'homes'],
  user: ['a user', 'users'],
  device: ['a device', 'devices'],
  entity: ['an entity', 'entities'],
};

const sentences: Record<Verdict, (route: Matched, subject: Subject) => string> = {
  takes: () => 'This route handles the call. It has the longest matching source path.',
  shorter: () => 'Also matches, but is shorter.',
  lessSpecific: () => 'Also matches, but is less specific.',
  younger: () => 'Also matches, but is newer.',
  path: () => 'The path does not begin with it.',
  resource: ({ resource }, subject) =>
    `For ${nouns[resource][1]}; this call is for ${nouns[subject.resource][0]}.`,
  home: ({ homeIds }, { homeId }) => `Only for home ${some(homeIds)}; this is home ${homeId}.`,
  deviceClass: ({ deviceClasses }, { deviceClass }) =>
    `Only for class ${some(deviceClasses)}; this device is of class ${deviceClass}.`,
  entityClass: ({ entityClasses }, { entityClass }) =>
    `Only for class ${some(entityClasses)}; this entity is of class ${entityClass}.`,
  entity: ({ entityIds }, { entityId }) => `Only for entity ${some(entityIds)}; this is ${entityId}.`,
  role: ({ homeRoles }, { role }) =>
    `Matches, but refuses the call: only for ${some(homeRoles)}; this user is ${role}.`,
  suspended: () => 'Matches, but refuses the call: the route is suspended.',
};

const namedMax = 5;

function some(values: readonly unknown[]): string {
  const named = values.slice(0, namedMax).join(', ');
  return values.length > namedMax ? `${named} and ${values.length - namedMax} more` : named;
}

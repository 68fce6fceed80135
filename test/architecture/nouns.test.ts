import { describe, expect, it } from 'vitest';
import { isTest, sourceFiles } from './sourceFiles.ts';

// A noun has the same word in every layer: its calls in `contract/<noun>.ts` have a namesake in the server, the console
// and the journeys. What differs is listed here, with the place and the reason.

/** Where a noun is found instead, and why it has no namesake there; without a place, it is not there at all. */
type Differs = Readonly<Record<string, { place?: string; why: string }>>;

const inServer: Differs = {
  alertGroup: { place: 'devices/alerts/groupAlerts', why: 'one way to read the alerts' },
  deviceFirmware: { place: 'firmware/targets', why: 'what a device runs follows from its target' },
  proxyCall: { place: 'apps/proxyRoutes', why: 'the test call and the last calls of a route' },
  service: { place: 'doors/serviceApi', why: 'the calls that only back ends make' },
};

const inConsole: Differs = {
  accessToken: { place: 'accounts/AccessTokensPanel', why: 'one panel of the account' },
  alertMail: { place: 'devices/alerts/AlertMailsPanel', why: 'one panel of the alerts' },
  command: { place: 'devices/activity', why: 'shown among everything that happens to a device' },
  desiredChange: { place: 'devices/activity', why: 'shown among everything that happens to a device' },
  deviceBulk: { place: 'devices/instances', why: 'what the list does with the devices that are selected' },
  deviceHealth: { place: 'devices/page/HealthPanel', why: 'one panel of the page of a device' },
  gateway: { place: 'devices/connect', why: 'where and how a device connects' },
  quarantine: { place: 'devices/deviceClasses/QuarantinePanel', why: 'one panel of the page of a class' },
  rolloutReport: { place: 'firmware/rollouts/RolloutDevices', why: 'the tables on the page of a rollout' },
  service: { why: 'the calls that only back ends make' },
  smartModule: { place: 'modules', why: 'the neighborhood itself' },
  stats: { place: 'projects/ProjectOverview', why: 'the figures of the first page of a project' },
};

/** Journeys that are about no noun of the contract. */
const otherJourneys: Readonly<Record<string, string>> = {
  'guide/appsim': 'the simulator of apps',
  'guide/devicesim': 'the simulator of devices',
  'guide/onboarding': 'the tour of a new developer',
  'projects/settings': 'the settings of a project',
};

const lower = (word: string) => word.charAt(0).toLowerCase() + word.slice(1);
const wordsFor = (noun: string) => [noun, `${noun}s`, `${noun}es`, noun.replace(/y$/, 'ies')];

/** `deviceView` is found as `…/deviceViews`, or as `…/views` below a folder for devices. */
function isNamesake(noun: string, path: string): boolean {
  const [last = '', ...folders] = path.split('/').reverse();
  if (wordsFor(noun).includes(last)) return true;
  return [...noun.matchAll(/[A-Z]/g)].some(({ index }) => {
    const owner = wordsFor(noun.slice(0, index));
    return wordsFor(lower(noun.slice(index))).includes(last) && folders.some(name => owner.includes(name));
  });
}

const nouns = sourceFiles
  .filter(({ path, text }) => /^contract\/\w+\.ts$/.test(path) && / = endpoint\(/.test(text))
  .map(({ path }) => path.slice('contract/'.length, -'.ts'.length));

/** The folders and files of a part, without their endings. */
const placesIn = (part: string) => [
  ...new Set(
    sourceFiles
      .filter(file => file.part === part && (part === 'e2e' || !isTest(file)))
      .flatMap(({ path }) => {
        const names = path.replace(/(\.\w+)+$/, '').split('/');
        return names.slice(1).map((_, at) => names.slice(1, at + 2).join('/'));
      }),
  ),
];

const places = { server: placesIn('server'), console: placesIn('console') };

describe.each([
  ['server', places.server, inServer],
  ['console', places.console, inConsole],
] as const)('the nouns of the contract in the %s', (part, paths, differs) => {
  const hasNamesake = (noun: string) => paths.some(path => isNamesake(noun, path));

  it('have the same word, or are listed with the reason', () => {
    expect(nouns.length).toBeGreaterThan(40);
    expect(nouns.filter(noun => !hasNamesake(noun) && !(noun in differs))).toEqual([]);
  });

  it('are listed only if they differ, and are where the list says', () => {
    expect(Object.keys(differs).filter(noun => !nouns.includes(noun) || hasNamesake(noun))).toEqual([]);
    const gone = Object.values(differs).filter(({ place }) => place !== undefined && !paths.includes(place));
    expect(gone.map(({ place }) => `${part}/${place}`)).toEqual([]);
  });
});

it('a journey in the folder of a neighborhood begins with a noun, or is listed with what it is about', () => {
  const journeys = sourceFiles
    .flatMap(({ path }) => /^e2e\/(\w+\/\w+)\.e2e\.ts$/.exec(path)?.[1] ?? [])
    .filter(path => !isOfNoun(path.split('/')[1] ?? ''));
  expect(journeys.filter(path => !Object.keys(otherJourneys).some(known => path.startsWith(known)))).toEqual(
    [],
  );
  expect(Object.keys(otherJourneys).filter(known => !journeys.includes(known))).toEqual([]);
});

/** `manyDevices` and `teamLeaving` are about nouns; so is `moduleFields`, as a smart module is called module. */
function isOfNoun(name: string): boolean {
  const words = name.split(/(?=[A-Z])/).map(lower);
  const known = [...nouns, 'module', 'class', 'instance', 'package', 'example'].flatMap(wordsFor);
  return known.includes(name) || words.some(word => known.includes(word));
}

it('a namesake is recognized', () => {
  expect(isNamesake('bundle', 'firmware/bundles')).toBe(true);
  expect(isNamesake('deviceView', 'devices/devices/views')).toBe(true);
  expect(isNamesake('deviceClassRevision', 'classes/deviceClasses/revisions')).toBe(true);
  expect(isNamesake('deviceView', 'people/views')).toBe(false);
  expect(isNamesake('bundle', 'firmware/outcomes')).toBe(false);
});

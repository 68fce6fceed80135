import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isTest, sourceFiles } from './sourceFiles.ts';

// A noun has the same word in every layer: its calls in `contract/<noun>.ts` have a namesake in the server, the console
// and the journeys. What differs is listed here, with the place and the reason.

const root = join(import.meta.dirname, '../..');

/** Where a noun is found instead, and why it has no namesake there; without a place, it is not there at all. */
type Differs = Readonly<Record<string, { place?: string; why: string }>>;

const inServer: Differs = {
  account: { place: 'accounts/developers', why: 'the calls of a developer about their own account' },
  componentVersion: { place: 'firmware/components', why: 'a version has the files and states of its component' },
  desiredChange: { place: 'devices/desired', why: 'the desired state and its changes are one room' },
  deviceFirmware: { place: 'firmware/targets', why: 'what a device runs follows from its target' },
  homeDevice: { place: 'people/homeDevices', why: '' },
  proxyCall: { place: 'apps/proxyRoutes', why: 'the test call and the last calls of a route' },
  quarantine: { place: 'classes/deviceClasses', why: 'messages that violate the schemas of the class' },
  service: { place: 'doors/serviceApi', why: 'the calls that only back ends make' },
};

const inConsole: Differs = {
  accessToken: { place: 'accounts', why: 'a panel of the account' },
};

const inJourneys: Differs = {};

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

/** The folders and files of a part, without endings. */
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

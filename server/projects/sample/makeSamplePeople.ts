import { dayS } from '#rules/time/durations.ts';
import { hashToken, newToken } from '#server/api/sessions/session.ts';
import { insertApp } from '#server/apps/apps/store.ts';
import { insertKey } from '#server/apps/keys/store.ts';
import { putIntoHome } from '#server/devices/devices/homeOfDevices.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { insertHome } from '#server/people/homes/changeHomes.ts';
import { joinHome } from '#server/people/homes/changeMembers.ts';
import { startUserSession } from '#server/people/sessions/startUserSession.ts';
import { insertUser } from '#server/people/users/userStore.ts';
import { hoursAgo } from './makeSamplePast.ts';
import { sampleMadeHoursAgo } from './sampleDevices.ts';

const appId = 'home-app';
const sessionTtlS = 30 * dayS;

/** Nobody can sign in as these users: they have no passwords, and their addresses do not exist. */
const people = [
  { name: 'Kari Berg', email: 'kari.berg@example.com', phone: 'Kari’s phone', seenHoursAgo: 0.4 },
  { name: 'Ola Berg', email: 'ola.berg@example.com', phone: 'Ola’s tablet', seenHoursAgo: 5.2 },
  { name: 'Mari Kask', email: 'mari.kask@example.com', phone: 'Mari’s phone', seenHoursAgo: 27 },
] as const;

interface Made {
  id: string;
  tag: string;
}

/**
 * An app, the key of a back end, and a home with devices: the first user owns it, the second is a member, the third has
 * none.
 */
export async function makeSamplePeople(
  db: Db,
  platform: Pick<Platform, 'newId' | 'sealing'>,
  { projectId, now }: { projectId: string; now: Date },
  devices: readonly Made[],
): Promise<void> {
  const madeAt = hoursAgo(now, sampleMadeHoursAgo);
  await insertApp(db, {
    projectId,
    id: appId,
    now: madeAt,
    description: 'The app that people have on their phones.',
    config: { units: 'celsius', theme: { accent: '#2f6f4f' }, features: { schedules: true } },
  });
  const secret = newToken();
  await insertKey(db, {
    projectId,
    id: platform.newId('key', madeAt),
    now: madeAt,
    createdBy: 'Mooring',
    name: 'Web shop',
    description: 'Sends a welcome event when someone buys a thermostat.',
    secret: { hash: hashToken(secret), end: secret.slice(-4) },
  });
  const users = people.map((person, i) => {
    const joined = new Date(madeAt.getTime() + i);
    return { ...person, joined, id: platform.newId('usr', joined) };
  });
  for (const { id, name, email, joined } of users)
    await insertUser(db, { id, projectId, name, email, isVerified: true, createdIn: appId, now: joined });
  await makeHome(db, { projectId, now: madeAt }, users, devices);
  const app = { id: appId, projectId, userSessionsTtlS: sessionTtlS };
  for (const { id, phone, seenHoursAgo } of users)
    await startUserSession(db, platform, {
      app,
      user: { id },
      deviceName: phone,
      address: '192.0.2.17',
      now: hoursAgo(now, seenHoursAgo),
    });
}

async function makeHome(
  db: Db,
  { projectId, now }: { projectId: string; now: Date },
  [owner, member]: readonly { id: string }[],
  devices: readonly Made[],
): Promise<void> {
  if (!owner || !member) throw new Error('There are two.');
  const homeId = await insertHome(db, {
    projectId,
    ownerId: owner.id,
    createdIn: appId,
    now,
    name: 'Birch Street 4',
    timeZone: 'Europe/Oslo',
  });
  const inHome = devices.filter(({ tag }) => tag.startsWith('thermostat-'));
  for (const { id } of inHome)
    await putIntoHome(db, { projectId, homeId, userId: owner.id, how: 'claim', now }, id);
  await joinHome(db, { projectId, homeId }, { userId: member.id, role: 'member', now });
}

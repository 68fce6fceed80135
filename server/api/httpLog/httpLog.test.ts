import { expect, it } from 'vitest';
import { readMe } from '#contract/appApi/me.ts';
import { createStreamTicket } from '#contract/appApi/stream.ts';
import {
  readAppHttpLogEntries,
  readHttpLogEntries,
  readKeyHttpLogEntries,
  readUserHttpLogEntries,
} from '#contract/log.ts';
import { readTrafficStats } from '#contract/stats.ts';
import { listUsers } from '#contract/user.ts';
import { hourMs } from '#rules/time/durations.ts';
import { anApp } from '#test/apps.ts';
import { anEndUser } from '#test/endUsers.ts';
import { listenBySse, listenByWebSocket } from '#test/eventStreams.ts';
import { aKey } from '#test/keys.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { until } from '#test/until.ts';
import { toHalfPast } from '#test/world.ts';

const at = aProjectWorld();

/** A range that works at any time of day, also across midnight. */
function lately() {
  const [begin, end] = [-hourMs, hourMs].map(ms => new Date(at.world.now().getTime() + ms).toISOString());
  return { begin: begin ?? '', end: end ?? '' };
}

it('a call of an app or key is counted, and listed in the log of its project, app, key and user', async () => {
  toHalfPast(at.world);
  const { id: projectId } = await at.world.aProject(at.owner);
  const [app, other] = await Promise.all([anApp(at.owner, projectId), anApp(at.owner, projectId)]);
  const [user, another] = await Promise.all([anEndUser(at.world, app), anEndUser(at.world, other)]);
  const { key, client } = await aKey(at.world, at.owner, { projectId, canAdmin: true });
  await user.client.call(readMe, {});
  await another.client.call(readMe, {});
  await client.call(listUsers, { query: { projectId } });
  const query = lately();
  const texts = (entries: readonly { text: string }[]) => entries.map(({ text }) => text);
  const call = at.owner.client.call.bind(at.owner.client);
  const all = await until(async () => {
    const found = await call(readHttpLogEntries, { params: { projectId }, query });
    return found.length === 3 ? found : undefined;
  });
  expect(texts(all).toSorted()).toEqual(
    [
      `GET /app/v1/${app.id}@${projectId}/me 200`,
      `GET /app/v1/${other.id}@${projectId}/me 200`,
      'GET /service/v1/users 200',
    ].toSorted(),
  );
  const ofUser = await call(readUserHttpLogEntries, { params: { userId: user.id }, query });
  expect(texts(ofUser)).toEqual([`GET /app/v1/${app.id}@${projectId}/me 200`]);
  const byName = (text: string) =>
    call(readHttpLogEntries, { params: { projectId }, query: { ...query, text } });
  expect(texts(await byName(user.email.toUpperCase()))).toEqual(texts(ofUser));
  expect(await byName('nobody at all')).toEqual([]);
  const ofApp = await call(readAppHttpLogEntries, {
    params: { appId: other.id },
    query: { ...query, projectId },
  });
  expect(texts(ofApp)).toEqual([`GET /app/v1/${other.id}@${projectId}/me 200`]);
  const ofKey = await call(readKeyHttpLogEntries, { params: { keyId: key.id }, query });
  expect(texts(ofKey)).toEqual(['GET /service/v1/users 200']);
  await at.world.platform.traffic.flush();
  const [begin, end] = [query.begin.slice(0, 7), query.end.slice(0, 7)];
  const months = await call(readTrafficStats, { params: { projectId }, query: { begin, end } });
  expect(months.find(({ counts }) => counts.appCalls > 0)?.counts).toMatchObject({
    appCalls: 2,
    serviceCalls: 1,
  });
});

it('a stream of either kind is logged once it is over', async () => {
  const user = await anEndUser(at.world, await anApp(at.owner, at.projectId));
  await (await listenBySse(user)).close();
  const { ticket } = await user.client.call(createStreamTicket, {});
  await (await listenByWebSocket(user.baseUrl, { ticket })).close();
  const query = lately();
  const statuses = await until(async () => {
    const found = await at.owner.client.call(readUserHttpLogEntries, { params: { userId: user.id }, query });
    const streams = found.filter(({ text }) => /^GET .*\/events /.test(text));
    return streams.length === 2 ? streams.map(({ text }) => text.slice(-3)) : undefined;
  });
  expect(statuses.toSorted()).toEqual(['101', '200']);
});

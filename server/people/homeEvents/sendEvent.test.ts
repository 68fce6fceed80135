import { beforeAll, expect, it } from 'vitest';
import { sendEvent } from '#contract/service.ts';
import { anApp } from '#test/apps.ts';
import { anEndUser, type CalledApp, type EndUser } from '#test/endUsers.ts';
import { aDeviceIn, homeOf, joins, listenBySse } from '#test/eventStreams.ts';
import { failing } from '#test/failing.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { aKey, type BackEnd } from '#test/keys.ts';

const at = aGatewayWorld();
let app: CalledApp;
let backEnd: BackEnd;
let owner: EndUser;
let member: EndUser;
let homeId: string;
beforeAll(async () => {
  app = await anApp(at.owner, at.projectId);
  backEnd = await aKey(at.world, at.owner, { projectId: at.projectId });
  [owner, member] = [await anEndUser(at.world, app), await anEndUser(at.world, app)];
  homeId = await homeOf(at, owner);
  await joins(at, homeId, member, { role: 'member' });
});

const send = (to: object, name: string) =>
  backEnd.client.call(sendEvent, {
    params: { projectId: at.projectId },
    body: { ...to, name, payload: { of: name } },
  });
const isNamed = (name: string) => (heard: { data: Record<string, unknown> }) => heard.data.name === name;

it('an event of a back end reaches its addressees and nobody else', async () => {
  const device = await aDeviceIn(at, homeId);
  const stranger = await anEndUser(at.world, app);
  await homeOf(at, stranger);
  await using atOwner = await listenBySse(owner);
  await using atMember = await listenBySse(member);
  await using atStranger = await listenBySse(stranger);
  await send({ homeId }, 'to-home');
  await send({ deviceId: device.id }, 'to-device');
  await send({ userId: member.id }, 'to-member');
  // The last event to each user: once it has arrived, all earlier ones have.
  for (const { id } of [owner, member, stranger]) await send({ userId: id }, 'end');
  const heard = [];
  for (const stream of [atOwner, atMember, atStranger]) {
    await stream.hear(isNamed('end'));
    heard.push(stream.told.flatMap(({ name }) => (name ? [name] : [])));
  }
  expect(heard).toEqual([
    ['to-home', 'to-device', 'end'],
    ['to-home', 'to-device', 'to-member', 'end'],
    ['end'],
  ]);
});

it('an event names exactly one addressee, in the project of the key', async () => {
  await failing(send({}, 'nobody'), 'ONE_ADDRESSEE');
  await failing(send({ homeId, userId: owner.id }, 'both'), 'ONE_ADDRESSEE');
  await failing(send({ userId: 'usr_none' }, 'x'), 'USER_NOT_FOUND');
  await failing(send({ homeId: '1' }, 'x'), 'HOME_NOT_FOUND');
  await failing(send({ deviceId: 'dev_none' }, 'x'), 'DEVICE_NOT_FOUND');
  const body = { homeId, name: 'big', payload: 'x'.repeat(66_000) };
  await failing(backEnd.client.call(sendEvent, { params: { projectId: at.projectId }, body }), 'TOO_LARGE');
});

import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { deleteDevice } from '#contract/device.ts';
import { endLiveStreams } from '#server/api/http/live.ts';
import { aToken } from '#test/accessTokens.ts';
import { aCli } from '#test/cli.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { until } from '#test/until.ts';

const at = aGatewayWorld();

it('events of a class go on when one of its devices is deleted', async () => {
  const { token } = await aToken(at.world, at.owner, { scope: 'read', projectIds: [at.projectId] });
  const cli = aCli({ MOORING_URL: at.world.url, MOORING_TOKEN: token });
  const { id: deviceClass } = await at.deviceClass();
  const [doomed, other] = [await at.device({ deviceClass }), await at.device({ deviceClass })];
  const tail = cli.start(['events', 'tail', '--class', deviceClass]);
  onTestFinished(() => void tail.child.kill('SIGKILL'));
  await until(() => (tail.said.err.includes('Listening to 2 devices') ? true : undefined));
  await at.owner.client.call(deleteDevice, { params: { deviceId: doomed.id } });
  // As a restart of the server does: the command line opens every stream again.
  endLiveStreams();
  await until(() => (tail.said.err.includes('was deleted') ? true : undefined));
  await using hardware = await at.connect(other);
  // The stream may be reconnecting, so this sends until one arrives.
  await until(async () => {
    await hardware.say('events/door', { open: true });
    return tail.said.out.includes('door') ? true : undefined;
  });
  tail.child.kill('SIGTERM');
  expect((await tail.ended).err).not.toContain('DEVICE_NOT_FOUND');
});

/** Sets the clock of a process ten minutes back. */
const tenMinutesBehind = `--import=data:text/javascript,${encodeURIComponent(`
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...given) { given.length > 0 ? super(...given) : super(Real.now() - 600_000); }
    static now() { return Real.now() - 600_000; }
  };`)}`;

it('events that come while the stream is lost are printed, even if the clock of the computer is wrong', async () => {
  const { token } = await aToken(at.world, at.owner, { scope: 'read', projectIds: [at.projectId] });
  const login = { MOORING_URL: at.world.url, MOORING_TOKEN: token };
  const cli = aCli({ ...login, NODE_OPTIONS: tenMinutesBehind });
  const device = await at.device();
  await using hardware = await at.connect(device);
  const tail = cli.start(['events', 'tail', '--device', device.id]);
  onTestFinished(() => void tail.child.kill('SIGKILL'));
  await until(async () => {
    await hardware.say('events/first', {});
    return tail.said.out.includes('first') ? true : undefined;
  });
  endLiveStreams();
  await until(() => (tail.said.err.includes('Reconnecting') ? true : undefined));
  await hardware.say('events/missed', {});
  await until(() => (tail.said.out.includes('missed') || tail.said.code !== null ? true : undefined));
  expect(tail.said.out).toContain('missed');
});

/** Forwards requests to a platform; cuts those for which `cuts` is true. */
async function aBadLink(url: string, cuts: (path: string) => boolean): Promise<string> {
  const server = createServer((request, response) => {
    const { url: path = '', method = 'GET', headers } = request;
    if (cuts(path)) return void request.destroy();
    const forwarded = ask(new URL(path, url), { method, headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => response.destroy()).pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('a link that breaks while missed events are read does not end the command, and loses none', async () => {
  const { token } = await aToken(at.world, at.owner, { scope: 'read', projectIds: [at.projectId] });
  let [isLost, cut] = [false, 0];
  const url = await aBadLink(at.world.url, path => isLost && /\/events\?/.test(path) && cut++ < 2);
  const cli = aCli({ MOORING_URL: url, MOORING_TOKEN: token });
  const device = await at.device();
  await using hardware = await at.connect(device);
  const tail = cli.start(['events', 'tail', '--device', device.id]);
  onTestFinished(() => void tail.child.kill('SIGKILL'));
  await until(async () => {
    await hardware.say('events/first', {});
    return tail.said.out.includes('first') ? true : undefined;
  });
  isLost = true;
  endLiveStreams();
  await until(() => (tail.said.err.includes('Reconnecting') ? true : undefined));
  await hardware.say('events/missed', {});
  await until(() => (tail.said.out.includes('missed') || tail.said.code !== null ? true : undefined));
  expect(tail.said.out).toContain('missed');
  expect(cut).toBeGreaterThanOrEqual(2);
});

import { createApp } from '#contract/app.ts';
import { createBundle } from '#contract/bundle.ts';
import { createChannel } from '#contract/channel.ts';
import { createComponent } from '#contract/component.ts';
import { createDevice } from '#contract/device.ts';
import { createDeviceClass, writeKvPair } from '#contract/deviceClass.ts';
import { writeDesired } from '#contract/deviceState.ts';
import { createHome } from '#contract/home.ts';
import { createKey } from '#contract/key.ts';
import { createProxyRoute } from '#contract/proxyRoute.ts';
import { createRollout } from '#contract/rollout.ts';
import { createSmartModule } from '#contract/smartModule.ts';
import { createUser } from '#contract/user.ts';
import { createUserAuthMethod } from '#contract/userAuthMethod.ts';
import type { Newcomer } from '#test/newcomer.ts';
import type { OidcProvider } from '#test/oidcProvider.ts';
import { aReadyVersion } from './firmware/firmwarePage.ts';
import { anEmail } from './world.ts';

/** The ids of one item of each noun, by the name of its parameter in the console's addresses. */
export type Items = Record<string, string>;

/**
 * One item of each noun in a project. All their texts contain `word` and nothing else of its kind, so that whatever
 * shows the word is about these items.
 */
export async function itemsNamed(
  word: string,
  { client }: Newcomer,
  { id: projectId, url }: { id: string; url: string },
  { issuer, clientId, clientSecret }: OidcProvider,
): Promise<Items> {
  const params = { projectId };
  const { id: classId } = await client.call(createDeviceClass, {
    params,
    body: {
      id: word,
      description: `The ${word} class`,
      stateSchema,
      commandSchemas: { [`warm-${word}`]: {} },
    },
  });
  const pair = { params: { classId, pairKey: `key-${word}` }, query: { projectId } };
  await client.call(writeKvPair, { ...pair, body: { value: word } });
  const firmware = await firmwareNamed(word, client, { projectId, url });
  const device = { projectId, deviceClass: classId, tag: `${word}-01`, channel: `${word}-channel` };
  const { id: deviceId } = await client.call(createDevice, { body: device });
  const desired = { target: 18, mode: `${word} mode` };
  await client.call(writeDesired, { params: { deviceId }, body: { desired } });
  const { id: appId } = await client.call(createApp, {
    params,
    body: { id: word, description: `${word} app` },
  });
  const { id: keyId } = await client.call(createKey, { params, body: { name: `${word} key` } });
  const route = {
    resource: 'project',
    sourcePath: `/${word}`,
    targetUrl: `http://127.0.0.1/${word}`,
  } as const;
  const { id: routeId } = await client.call(createProxyRoute, { body: { projectId, ...route } });
  const { id: ownerId } = await client.call(createUser, {
    body: { projectId, email: anEmail(word), name: word },
  });
  const home = { projectId, ownerId, name: `${word} home`, timeZone: 'Europe/Tallinn' };
  const { id: homeId } = await client.call(createHome, { body: home });
  const module = { id: word, moduleType: 'notify', description: `${word} module` } as const;
  const configData = { subject: word, text: `Text of the ${word}` };
  const { id: moduleId } = await client.call(createSmartModule, { params, body: { ...module, configData } });
  const method = {
    label: `${word} account`,
    protocol: 'oidc',
    config: { issuer, clientId, clientSecret },
  } as const;
  const { id: methodId } = await client.call(createUserAuthMethod, { params, body: method });
  return {
    projectId,
    classId,
    deviceId,
    ...firmware,
    appId,
    keyId,
    routeId,
    userId: ownerId,
    homeId,
    moduleId,
    methodId,
  };
}

const stateSchema = {
  type: 'object',
  properties: { target: { type: 'number', minimum: 5, maximum: 30 }, mode: { type: 'string' } },
};

/** A bundle without devices to run it, and a channel with a rollout to it. */
async function firmwareNamed(
  word: string,
  client: Newcomer['client'],
  { projectId, url }: { projectId: string; url: string },
): Promise<Items> {
  const { id: componentId } = await client.call(createComponent, {
    body: { projectId, name: `${word} part` },
  });
  const versionId = await aReadyVersion(client, url, componentId, `${word}-1.0`);
  const bundle = { projectId, deviceClass: word, name: `${word} bundle`, componentVersionIds: [versionId] };
  const { id: bundleId } = await client.call(createBundle, { body: bundle });
  const channel = { projectId, deviceClass: word, name: `${word}-channel` };
  const { id: channelId } = await client.call(createChannel, { body: channel });
  const { id: rolloutId } = await client.call(createRollout, { body: { channelId, bundleId } });
  return { componentId, versionId, bundleId, channelId, rolloutId };
}

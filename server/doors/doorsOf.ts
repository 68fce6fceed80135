import type { Gateway } from '#contract/gateway.ts';
import type { Platform } from '#server/platform.ts';

/** Where devices come in, as they reach it from outside. */
export function doorsOf({ config, publicUrl }: Pick<Platform, 'config' | 'publicUrl'>): Gateway {
  const { protocol, host, hostname } = new URL(publicUrl());
  const { mqttPort } = config;
  return {
    ...(mqttPort !== 'off' && { mqtt: { host: hostname, port: mqttPort, tls: false } }),
    websocketUrl: `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}/mqtt`,
    httpUrl: `${protocol}//${host}/device/v1`,
  };
}

import { readGateway } from '#contract/gateway.ts';
import type { Slice } from '#server/app.ts';
import { on } from '#server/http/route.ts';

/** Where the doors are that are not this one. */
export const doors: Slice = {
  routes: [
    on(readGateway, async ({ platform }) => {
      const { protocol, host, hostname } = new URL(platform.publicUrl());
      const { mqttPort } = platform.config;
      return {
        ...(mqttPort !== 'off' && { mqtt: { host: hostname, port: mqttPort, tls: false } }),
        websocketUrl: `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}/mqtt`,
        httpUrl: `${protocol}//${host}/device/v1`,
      };
    }),
  ],
};

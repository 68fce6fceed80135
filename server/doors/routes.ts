import { readGateway } from '#contract/gateway.ts';
import type { Slice } from '#server/app.ts';
import { on } from '#server/http/route.ts';

/** Where the doors are that are not this one. */
export const doors: Slice = {
  routes: [
    on(readGateway, async ({ platform }) => {
      const { protocol, host, hostname } = new URL(platform.publicUrl());
      const port = platform.mqttPort();
      const tls = platform.config.mqttTls !== undefined;
      return {
        ...(port !== 'off' && { mqtt: { host: hostname, port, tls } }),
        websocketUrl: `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}/mqtt`,
        httpUrl: `${protocol}//${host}/device/v1`,
      };
    }),
  ],
};

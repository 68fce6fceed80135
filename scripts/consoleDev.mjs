// Vite's development server. What is not the console's goes on to the platform.
import { createServer } from 'vite';

const server = await createServer({
  server: {
    port: Number(process.env.CONSOLE_PORT),
    strictPort: true,
    proxy: {
      '^/(api|app/v1|device/v1|service/v1|files|docs|outbox|healthz|readyz|metrics|mqtt)([/?]|$)': {
        target: `http://127.0.0.1:${process.env.PORT || 8080}`,
        ws: true,
      },
    },
  },
});
await server.listen();
server.printUrls();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => server.close());

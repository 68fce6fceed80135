import { type Config, readConfig } from './infra/config.ts';
import { startPostgres } from './infra/db/postgres.ts';
import { createLog } from './infra/log.ts';
import { lowerPriority } from './infra/pace/lowerPriority.ts';
import { StartFault } from './infra/startFault.ts';
import { registerProcess } from './runningHere.ts';
import type { Started } from './start.ts';

const startedAt = performance.now();
try {
  const config = readConfig(process.env);
  registerProcess();
  const starting = start(config);
  stopOnSignals(starting);
  const server = await starting;
  // Jobs and modules can wait a moment; devices and people notice any delay at the doors on the same machine. The
  // embedded database keeps its priority.
  if (config.roles.every(role => role === 'worker')) lowerPriority();
  const { startedText } = await import('./startedText.ts');
  console.log(startedText(server, performance.now() - startedAt));
} catch (error) {
  if (!(error instanceof StartFault)) throw error;
  console.error(error.message);
  process.exit(1);
}

/** The database starts while the rest of the server is loaded: both take about the same time. */
async function start(config: Config): Promise<Started> {
  const log = createLog(config.logLevel);
  const postgres = startPostgres({ ...config, log: { warn: text => log('warn', text) } });
  // An error is reported later, once the server is loaded.
  postgres.catch(() => undefined);
  const { startServer } = await import('./start.ts');
  return startServer(config, { log, postgres });
}

/** The first signal drains, even during the start; a second one exits at once. */
function stopOnSignals(starting: Promise<Started>): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      const stopped = starting.then(server => server.stop());
      stopped.then(
        () => process.exit(0),
        error => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
}

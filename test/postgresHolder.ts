import { startPostgres } from '#server/infra/db/postgres.ts';

// Holds a data folder until it is told to stop, for tests that need another process to do so.
const [dataDir = '', ending = 'wait'] = process.argv.slice(2);
const postgres = await startPostgres({
  dataDir,
  log: { warn: text => console.log(JSON.stringify({ text })) },
});
console.log(JSON.stringify({ pid: postgres.pid(), url: postgres.url }));
if (ending === 'exit') process.exit(3);
const waiting = setInterval(() => undefined, 60_000);
process.once('SIGTERM', async () => {
  await postgres.stop();
  clearInterval(waiting);
});

import type { FastifyInstance } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { sql } from '#server/db/sql.ts';
import type { Platform } from '#server/platform.ts';
import { isLoopback } from './loopback.ts';

/** Health endpoints for monitoring: liveness, readiness and metrics. */
export function health(
  app: FastifyInstance,
  platform: Platform,
  { state, figures }: { state: { draining: boolean }; figures: () => string[] },
): void {
  app.get('/healthz', async () => ({ status: 'ok' }));

  app.get('/readyz', async () => {
    if (state.draining) throw new Problem('UNAVAILABLE');
    await platform.db.one(sql`select 1 as ok`).catch(() => {
      throw new Problem('UNAVAILABLE');
    });
    // Without the bus, this process still serves; other processes see its changes a little later.
    return { status: 'ready', ...(platform.bus.isAway && { away: ['nats'] }) };
  });

  const answers = new Map<string, { count: number; ms: number }>();
  app.addHook('onResponse', async (request, reply) => {
    const labels = `method="${request.method}",path="${request.routeOptions.url ?? 'none'}",status="${reply.statusCode}"`;
    const sum = answers.get(labels) ?? { count: 0, ms: 0 };
    answers.set(labels, { count: sum.count + 1, ms: sum.ms + reply.elapsedTime });
  });

  app.get('/metrics', async (request, reply) => {
    // Metrics reveal internals, so they are served to loopback only: a scraper runs on the same machine or
    // uses a tunnel.
    if (!isLoopback(request)) throw new Problem('RESOURCE_NOT_FOUND');
    return reply
      .type('text/plain; version=0.0.4')
      .send(`${[...metrics(answers, platform), ...figures()].join('\n')}\n`);
  });
}

function metrics(answers: Map<string, { count: number; ms: number }>, { db }: Platform): string[] {
  const memory = process.memoryUsage();
  const lines = [
    '# TYPE mooring_up_seconds gauge',
    `mooring_up_seconds ${process.uptime().toFixed(0)}`,
    '# TYPE mooring_resident_bytes gauge',
    `mooring_resident_bytes ${memory.rss}`,
    '# TYPE mooring_database_connections gauge',
    `mooring_database_connections{state="idle"} ${db.pool.idleCount}`,
    `mooring_database_connections{state="used"} ${db.pool.totalCount - db.pool.idleCount}`,
    `mooring_database_connections{state="waited_for"} ${db.pool.waitingCount}`,
    '# TYPE mooring_http_requests_seconds summary',
  ];
  for (const [labels, { count, ms }] of answers) {
    lines.push(`mooring_http_requests_seconds_count{${labels}} ${count}`);
    lines.push(`mooring_http_requests_seconds_sum{${labels}} ${(ms / 1000).toFixed(4)}`);
  }
  return lines;
}

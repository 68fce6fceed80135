import { createHash } from 'node:crypto';
import type { Client } from '#contract/client.ts';
import type { QueryOf } from '#contract/endpoint.ts';
import { readLogEntries } from '#contract/log.ts';
import { dayMs } from '#rules/time/durations.ts';
import { ms, percentile, report } from '../report.ts';
import { times } from './seed.ts';

const rounds = 60;
/** So that the statements are prepared. */
const warmUps = 5;

type Query = QueryOf<typeof readLogEntries>;

/** Asks each question of the small log and then of the large one, each time with different values. */
export async function reportReads(
  client: Client,
  ids: { small: string; large: string },
  entries: number,
): Promise<void> {
  const rows: string[][] = [];
  for (const [name, query] of Object.entries(questions(entries))) {
    const took: [number[], number[]] = [[], []];
    const found: [number, number] = [0, 0];
    const ask = async (at: 0 | 1, round: number) => {
      const params = { projectId: at === 0 ? ids.small : ids.large };
      const startedAt = performance.now();
      const answer = await client.call(readLogEntries, { params, query: query(round) });
      if (round >= warmUps) took[at].push(performance.now() - startedAt);
      found[at] = answer.length;
    };
    const all = name.startsWith('two letters') ? warmUps + 5 : warmUps + rounds;
    for (let round = 0; round < all; round++) {
      await ask(0, round);
      await ask(1, round);
    }
    const [small, large] = took.map(values => [percentile(values, 0.5), percentile(values, 0.95)]);
    const ratio = (large?.[1] ?? 0) / (small?.[1] ?? 1);
    rows.push([name, ...[...(small ?? []), ...(large ?? [])].map(ms), ratio.toFixed(2), found.join(' / ')]);
  }
  const [one, ten] = [entries, times * entries].map(count => `${(count / 1e6).toFixed(1)} M`);
  report({
    title: 'Audit log: the same queries on a small and a large log',
    command: 'npm run bench -- auditLog',
    head: ['question', `${one} p50`, `${one} p95`, `${ten} p50`, `${ten} p95`, 'p95 ratio', 'found'],
    rows,
    notes: [
      `Calls to the running server, one after the other, alternating between the logs; ${rounds} rounds. The bar is a ratio of 2.`,
      'Both logs span 345 days in the monthly partitions of one database with its default settings.',
      'The large log is ten copies of the small one in sequence, so rare entries occur ten times.',
      'A search for fewer than four letters, which no index covers, stops after 1.5 s and says how far it got.',
    ],
  });
}

function questions(entries: number): Record<string, (round: number) => Query> {
  const now = Date.now();
  const range = (fromDays: number, toDays: number) => ({
    begin: new Date(now - fromDays * dayMs).toISOString(),
    end: new Date(now - toDays * dayMs).toISOString(),
  });
  const year = { ...range(346, -1), maxEntries: 15 };
  const someone = (round: number) => `dvl_01k9x0000${String(round % 40).padStart(17, '0')}`;
  const any = (round: number) => 1 + Math.floor(((round * 0.618) % 1) * (entries - 1));
  return {
    'Most Recent: 5 in 30 days': () => ({ ...range(30, -1), maxEntries: 5 }),
    'a day of this week': round => ({ ...range((round % 7) + 1, round % 7), maxEntries: 15 }),
    'a day a year ago': round => ({ ...range(340 - (round % 30), 339 - (round % 30)), maxEntries: 15 }),
    'the newest mention of a request id': round => ({
      ...year,
      maxEntries: 1,
      text: md5(`r${any(round)}`).slice(0, 26),
    }),
    'a request id, once in a million': round => ({ ...year, text: md5(`r${any(round)}`).slice(0, 26) }),
    'a device, 20 times in a million': round => ({
      ...year,
      text: `DEV-${md5(String(round * 811)).slice(0, 8)}`,
    }),
    'a word of every entry': () => ({ ...year, text: 'thermostat' }),
    'a word that is nowhere': round => ({ ...year, text: `never-${round}-heard` }),
    'an actor, one of 40': round => ({ ...year, actor: someone(round) }),
    'an actor who never was': round => ({ ...year, actor: `dvl_none${round}` }),
    'an action, one of 6': () => ({ ...year, action: 'editChannel' }),
    'warnings of an actor with a word': round => ({ ...year, level: 1, text: 'beta', actor: someone(round) }),
    'two letters that are nowhere': () => ({ ...year, text: 'qq' }),
  };
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type AlertState, changeAlert } from '#contract/alert.ts';
import { CallFailed } from '#contract/client.ts';
import { reopenWithinMinutes } from '#rules/devices/alertLimits.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { type AlertAsked, reportAlerts } from './reportAlerts.ts';

const at = aProjectWorld();
const severities = ['info', 'warning', 'critical'] as const;
type Severity = (typeof severities)[number];

interface ModelAlert {
  key: string;
  state: AlertState;
  severity: Severity;
  count: number;
  isCurrent: boolean;
  stateMs: number;
}

/** The alerts of a device as the documentation describes them: one report, one person, one after the other. */
class Model {
  readonly alerts: ModelAlert[] = [];

  raise(key: string, severity: Severity, nowMs: number): void {
    const found = this.#currentOf(key);
    const isOver = found?.state === 'resolved' && nowMs - found.stateMs > reopenWithinMinutes * minuteMs;
    if (!found || isOver) {
      if (found) found.isCurrent = false;
      this.alerts.push({ key, severity, state: 'open', count: 1, isCurrent: true, stateMs: 0 });
      return;
    }
    const isWorse = severities.indexOf(severity) > severities.indexOf(found.severity);
    const reopens = found.state === 'resolved' || (found.state === 'acknowledged' && isWorse);
    if (reopens) this.change(found, 'open', nowMs);
    Object.assign(found, { severity, count: found.count + 1 });
  }

  resolve(key: string, nowMs: number): void {
    const found = this.#currentOf(key);
    if (found && found.state !== 'resolved') this.change(found, 'resolved', nowMs);
  }

  change(alert: ModelAlert, state: AlertState, nowMs: number): void {
    if (alert.state !== state) Object.assign(alert, { state, stateMs: nowMs });
  }

  #currentOf = (key: string) => this.alerts.find(alert => alert.isCurrent && alert.key === key);
}

// Mostly one, so that a batch has several reports of it.
const key = fc.constantFrom('door', 'door', 'door', 'smoke');
const report = fc.oneof(
  fc.record({ kind: fc.constant('raise' as const), key, severity: fc.constantFrom(...severities) }),
  fc.record({ kind: fc.constant('resolve' as const), key }),
);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('report' as const),
      batch: fc.array(report, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('change' as const),
      state: fc.constantFrom<AlertState>('open', 'acknowledged', 'acknowledged', 'resolved'),
      nth: fc.nat(3),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('wait' as const), minutes: fc.constantFrom(1, 4, 6) }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A device with its alerts in the product and in the model. */
async function aPair() {
  const { id: deviceId } = await at.device();
  const { db } = at.world.platform;
  const model = new Model();

  async function stored() {
    const rows = await db.many<Omit<ModelAlert, 'stateMs'> & { id: string }>(sql`
      select id, key, state, severity, count::int, is_current as "isCurrent" from alerts
      where device_id = ${deviceId} order by key, id`);
    return rows;
  }

  const reported = (batch: Extract<Step, { what: 'report' }>['batch'], ts: Date) =>
    batch.map(one => {
      const eventId = at.world.platform.newId('evt');
      const source = { kind: 'device', eventId, event: one.key } as const;
      const of = { projectId: at.projectId, deviceId, key: one.key, source, ts };
      return one.kind === 'raise'
        ? { ...of, resolved: false as const, severity: one.severity, text: 'x' }
        : { ...of, resolved: true as const, text: '' };
    }) satisfies AlertAsked[];

  async function change({ state, nth }: Extract<Step, { what: 'change' }>): Promise<void> {
    const rows = await stored();
    const row = rows[nth % rows.length];
    const alert = byKey(model.alerts)[nth % rows.length];
    if (!row || !alert) return;
    const isReplaced = !alert.isCurrent && alert.state === 'resolved' && state !== 'resolved';
    const nowMs = at.world.now().getTime();
    const refused = await at.owner.client
      .call(changeAlert, { params: { alertId: row.id }, body: { state } })
      .then(() => undefined)
      .catch((error: unknown) => (error instanceof CallFailed ? error.reason : Promise.reject(error)));
    expect(refused).toBe(isReplaced ? 'ALERT_REPLACED' : undefined);
    if (!isReplaced) model.change(alert, state, nowMs);
  }

  return {
    async take(one: Step): Promise<void> {
      if (one.what === 'wait') at.world.pass(one.minutes * minuteMs);
      if (one.what === 'change') await change(one);
      if (one.what !== 'report') return;
      const ts = at.world.now();
      await db.tx(tx => reportAlerts(tx, at.world.platform, reported(one.batch, ts)));
      for (const each of one.batch)
        if (each.kind === 'raise') model.raise(each.key, each.severity, ts.getTime());
        else model.resolve(each.key, ts.getTime());
    },
    async compare(): Promise<void> {
      const seen = (await stored()).map(({ id: _, ...row }) => row);
      expect(seen).toEqual(byKey(model.alerts).map(({ stateMs: _, ...alert }) => alert));
    },
  };
}

/** In the order of the product: by key, and by age. */
const byKey = (alerts: readonly ModelAlert[]) =>
  alerts.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));

it('alerts are as if each report and each change had come alone, however reports are batched', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), async steps => {
      const pair = await aPair();
      for (const one of steps) {
        at.world.pass(1);
        await pair.take(one);
        await pair.compare();
      }
    }),
    { numRuns: 60 },
  );
}, 120_000);

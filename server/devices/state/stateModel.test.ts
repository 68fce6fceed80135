import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type DesiredChange, listDesiredChanges } from '#contract/desiredChange.ts';
import { writeDesired } from '#contract/deviceState.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';

const at = aGatewayWorld();

type Json = DesiredChange['patch'][string];
type JsonObject = DesiredChange['patch'];

/** The values of an object by their path; an object without members is a value itself. */
function leavesOf(value: Json | undefined, path: readonly string[] = []): [string, Json][] {
  if (!isMap(value) || Object.keys(value).length === 0)
    return value === undefined ? [] : [[path.join('.'), value]];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

const isMap = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function valueAt(state: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = state;
  for (const name of path.split('.')) value = isMap(value) ? value[name] : undefined;
  return value;
}

/** Whether a state is as a leaf of a desired state wants it. What the leaf is in must be an object. */
function isMet(state: JsonObject, [path, wanted]: [string, Json]): boolean {
  const value = valueAt(state, path);
  const parent = path.split('.').slice(0, -1).join('.');
  if (parent !== '' && !isMap(valueAt(state, parent))) return false;
  if (wanted === null) return value === undefined || value === null;
  return isMap(wanted) ? isMap(value) : same(value, wanted);
}

/** What a device and a developer expect, leaf by leaf, without merge patches. */
class Model {
  reported: JsonObject = {};
  desired: JsonObject = {};
  /** `removed`: what a change no longer desires, so that setting it again reverts the change. */
  readonly changes: { leaves: [string, Json][]; removed: string[]; stage: DesiredChange['stage'] }[] = [];

  desire(desired: JsonObject): void {
    const before = this.desired;
    this.desired = desired;
    for (const change of this.changes)
      if (change.stage === 'stored' && !isAsked({ before, desired }, change)) change.stage = 'replaced';
    const set = leavesOf(desired).filter(
      ([path, value]) => path !== '' && !same(valueAt(before, path), value),
    );
    const removed = leavesOf(before).flatMap(([path]) => removedAt(desired, path) ?? []);
    // What a part was removed from must still be an object.
    const inside = removed.map(path => path.split('.').slice(0, -1).join('.')).filter(path => path !== '');
    const leaves = [...set, ...inside.map((path): [string, Json] => [path, {}])];
    const isOpen = leaves.some(leaf => !isMet(this.reported, leaf));
    this.changes.push({ leaves, removed, stage: isOpen ? 'stored' : 'unchanged' });
  }

  /** Null in a patch is both: no longer desired, and to be removed. A part that is first the one, then the other. */
  isUnclear(desired: JsonObject): boolean {
    return this.changes.some(
      ({ stage, removed }) => stage === 'stored' && removed.some(path => valueAt(desired, path) === null),
    );
  }

  report(patch: JsonObject): void {
    this.reported = merged(this.reported, patch);
    for (const change of this.changes)
      if (change.stage === 'stored' && change.leaves.every(leaf => isMet(this.reported, leaf)))
        change.stage = 'reported';
  }
}

function isAsked(
  { before, desired }: { before: JsonObject; desired: JsonObject },
  { leaves, removed }: Pick<Model['changes'][number], 'leaves' | 'removed'>,
) {
  const gone = removed.map((path): [string, Json] => [path, null]);
  // A removal is no longer asked for once the desired state says nothing about it.
  const isGivenUp = leaves.some(
    ([path, wanted]) =>
      wanted === null && valueAt(before, path) === null && valueAt(desired, path) === undefined,
  );
  return !isGivenUp && [...leaves, ...gone].every(leaf => isMet(desired, leaf));
}

/** The outermost part of a path that a desired state lacks; undefined if it has another value instead. */
function removedAt(desired: JsonObject, path: string): string | undefined {
  const names = path === '' ? [] : path.split('.');
  const paths = names.map((_, last) => names.slice(0, last + 1).join('.'));
  const end = paths.find(one => !isMap(valueAt(desired, one)));
  return end !== undefined && valueAt(desired, end) === undefined ? end : undefined;
}

function merged(state: Json | undefined, patch: JsonObject): JsonObject {
  const result = { ...(isMap(state) ? state : {}) };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = isMap(value) ? merged(result[name], value) : value;
  }
  return result;
}

const plain = fc.constantFrom<Json>(1, 2, null, [1], [{ x: null }]);
const inner = fc.dictionary(fc.constantFrom('x', 'y'), plain, { maxKeys: 2 });
const state = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(plain, inner), { maxKeys: 2 });
/** Of the desired state, most often only a part is set or removed. */
const part = fc.record({
  name: fc.constantFrom('a', 'b', 'c'),
  value: fc.option(fc.oneof(plain, inner), { nil: undefined }),
});
const step = fc.oneof(
  { weight: 1, arbitrary: fc.record({ desired: state }) },
  { weight: 3, arbitrary: fc.record({ part }) },
  { weight: 2, arbitrary: fc.record({ report: state }) },
);

/** The desired state with one part changed, or without it. */
function withPart(
  desired: JsonObject,
  { name, value }: { name: string; value?: Json | undefined },
): JsonObject {
  const { [name]: _, ...others } = desired;
  return value === undefined ? others : { ...others, [name]: value };
}

/** A delta has all that is left to do, and nothing else. */
function expectDelta(delta: JsonObject, { reported, desired }: Pick<Model, 'reported' | 'desired'>): void {
  const done = merged(reported, delta);
  const isLeft = (state: JsonObject) => (leaf: [string, Json]) => leaf[0] !== '' && !isMet(state, leaf);
  expect(leavesOf(desired).filter(isLeft(done))).toEqual([]);
  const parts = leavesOf(delta).filter(([path]) => path !== '');
  expect(parts.filter(isLeft(reported))).toEqual(parts);
}

it('reported, desired and delta, and the stage of each change, are as a model says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async steps => {
      const device = await at.device();
      const params = { deviceId: device.id };
      await using here = await at.connect(device);
      const model = new Model();
      for (const one of steps) {
        if ('report' in one) {
          model.report(one.report);
          await here.say('state', one.report);
        } else {
          const next = 'part' in one ? withPart(model.desired, one.part) : one.desired;
          if (model.isUnclear(next)) continue;
          model.desire(next);
          await at.owner.client.call(writeDesired, { params, body: { desired: model.desired } });
        }
        const { reported, desired, delta } = await at.stateOf(device);
        expect({ reported, desired }).toEqual({ reported: model.reported, desired: model.desired });
        expectDelta(delta, model);
      }
      const { items } = await at.owner.client.call(listDesiredChanges, { params });
      expect(items.map(({ stage }) => stage).toReversed()).toEqual(model.changes.map(({ stage }) => stage));
    }),
    { numRuns: 40 },
  );
}, 120_000);

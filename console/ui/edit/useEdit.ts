import { useEffect, useState } from 'react';
import { useIsHere } from '#console/core/useIsHere.ts';
import { changedNames } from '#console/ui/code/changedNames.ts';
import { type Difference, differenceOf, type Words } from '#console/ui/code/differences.ts';
import { useForm } from '#console/ui/form/useForm.ts';
import { CallFailed } from '#contract/client.ts';

export interface Revised {
  revision: number;
}

export interface EditOptions<Row extends Revised, Values extends object> {
  /** The current row; a new object when someone else changes it. */
  row: Row;
  toForm: (row: Row) => Values;
  /** The label of each field in a difference, and how its value is described. */
  words: Words<Values>;
  check?: (values: Values) => Partial<Record<keyof Values & string, string>>;
  /** Called before a change to the given row is sent; false leaves the form open. */
  ask?: (changed: Partial<Values>, row: Row) => Promise<boolean>;
  /** Sends what changed, based on the given revision. */
  send: (changed: Partial<Values>, revision: number, values: Values) => Promise<Row>;
  /** Saved as `sent`, or nothing to save. */
  onDone: (saved: Row | undefined, sent: Values) => void;
}

export type Edit = Pick<ReturnType<typeof useForm>, 'onSubmit' | 'dirty' | 'saving' | 'error'> & {
  stale: Stale | undefined;
};

/** What someone else changed while the form was open, and the two ways to continue. */
export interface Stale {
  differences: readonly Difference[];
  /** How often a save was refused because of it. */
  refusals: number;
  saveMine: () => void;
  takeTheirs: () => void;
}

/**
 * The form of a row that others may change meanwhile. Their changes to other fields of the row are kept silently when
 * saving; their changes to this form's own fields are shown, and nothing typed is lost. While nothing has been typed,
 * the form follows the row.
 */
export function useEdit<Row extends Revised, Values extends object>(options: EditOptions<Row, Values>) {
  const { row, toForm, words, check, ask, send, onDone } = options;
  const ground = useGround(row);
  const isHere = useIsHere();
  const { now } = ground;
  const othersIn = (before: Row, after: Row, mine: Partial<Values>) =>
    changesOfOthers(toForm(before), toForm(after), mine);
  const form = useForm({
    initial: toForm(row),
    ...(check && { check }),
    async submit(values, changed) {
      if (Object.keys(changed).length === 0) return onDone(undefined, values);
      // First choose between mine and theirs.
      if (othersIn(ground.base, now, changed).length > 0) return ground.refuse();
      await askAndSave(changed, now);
    },
  });

  async function askAndSave(changed: Partial<Values>, onto: Row): Promise<void> {
    if (ask && !(await ask(changed, onto))) return;
    ground.hold();
    await save(changed, onto).finally(ground.release);
  }

  async function save(changed: Partial<Values>, onto: Row): Promise<void> {
    try {
      const sent = { ...toForm(onto), ...changed };
      const saved = await send(changed, onto.revision, sent);
      ground.moveTo(saved);
      onDone(saved, sent);
    } catch (failure) {
      const current = currentRow<Row>(failure);
      if (!current || current.revision <= onto.revision) throw failure;
      if (othersIn(onto, current, changed).length === 0) return save(changed, current);
      // There is no longer a form that shows both values.
      if (!isHere()) throw failure;
      ground.refuse(current);
    }
  }

  const theirs = othersIn(ground.base, now, form.changed);
  const moved = now !== ground.base && !form.dirty && !form.saving;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only `now` matters; the rest is new in every render
  useEffect(() => {
    if (!moved) return;
    ground.moveTo(now);
    form.reset(toForm(now));
  }, [moved, now]);
  const compared = { words, base: toForm(ground.base), theirs: toForm(now), mine: form.changed };
  const stale: Stale = {
    differences: theirs.map(name => differenceOf(name, compared)),
    refusals: ground.refusals,
    saveMine: () => void form.send(undefined, (_, changed) => askAndSave(changed, now)),
    takeTheirs() {
      ground.moveTo(now);
      form.reset(toForm(now), { ...toForm(now), ...without(form.changed, theirs) });
    },
  };
  return { ...form, stale: theirs.length > 0 && !moved ? stale : undefined };
}

function without<Values extends object>(values: Values, names: readonly string[]): Partial<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => !names.includes(name)),
  ) as Partial<Values>;
}

/**
 * What others have changed. Where it became what is typed here, it is no conflict: it was changed by a save of this form
 * whose answer was lost.
 */
function changesOfOthers<Values extends object>(before: Values, after: Values, mine: Partial<Values>) {
  const unlikeMine = changedNames({ ...after, ...mine }, after);
  return changedNames(before, after).filter(name => !(name in mine) || unlikeMine.includes(name));
}

/** The row that the form is based on, and the newest known row. */
function useGround<Row extends Revised>(row: Row) {
  const [base, setBase] = useState(row);
  const [told, setTold] = useState<Row>();
  const [refusals, setRefusals] = useState(0);
  // The row while our own save is in progress, as that save changes the row, too.
  const [held, setHeld] = useState<Row>();
  return {
    base,
    now: newest(base, held ?? row, told),
    refusals,
    hold: () => setHeld(row),
    release: () => setHeld(undefined),
    refuse(current?: Row): void {
      setRefusals(count => count + 1);
      if (current) setTold(current);
    },
    moveTo(next: Row): void {
      setBase(next);
      setRefusals(0);
    },
  };
}

function newest<Row extends Revised>(...rows: (Row | undefined)[]): Row {
  const known = rows.filter(row => row !== undefined);
  return known.reduce((a, b) => (b.revision > a.revision ? b : a));
}

/** The current row in the server's answer, if it refused a change to an older revision. */
export function currentRow<Row>(failure: unknown): Row | undefined {
  if (!(failure instanceof CallFailed) || failure.reason !== 'STALE') return undefined;
  return (failure.context as { current?: Row } | undefined)?.current;
}

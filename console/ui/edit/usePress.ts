import { useState } from 'react';
import { CallFailed } from '#contract/client.ts';
import { currentRow, type Revised } from './useEdit.ts';

interface Pressed<Row extends Revised> {
  /** The row with the press applied, before the server has answered. */
  shown: Row;
  busy: boolean;
  /** Why the last press failed; the row is as it was. */
  error: CallFailed | undefined;
  press: (changeOf: (row: Row) => Partial<Row>) => Promise<boolean>;
}

/**
 * Changes a row with a single press: a switch, a choice. What others change meanwhile is kept, because the press is
 * then applied again to the current row.
 */
export function usePress<Row extends Revised>(
  row: Row,
  send: (change: Partial<Row>, revision: number) => Promise<unknown>,
): Pressed<Row> {
  const [change, setChange] = useState<Partial<Row>>();
  const [error, setError] = useState<CallFailed>();

  async function sendOnto(onto: Row, changeOf: (row: Row) => Partial<Row>): Promise<void> {
    const next = changeOf(onto);
    setChange(next);
    try {
      await send(next, onto.revision);
    } catch (failure) {
      const current = currentRow<Row>(failure);
      if (!current || current.revision <= onto.revision) throw failure;
      await sendOnto(current, changeOf);
    }
  }

  async function press(changeOf: (row: Row) => Partial<Row>): Promise<boolean> {
    if (change) return false;
    setError(undefined);
    try {
      await sendOnto(row, changeOf);
      return true;
    } catch (failure) {
      if (!(failure instanceof CallFailed)) throw failure;
      setError(failure);
      return false;
    } finally {
      setChange(undefined);
    }
  }

  return { shown: { ...row, ...change }, busy: change !== undefined, error, press };
}

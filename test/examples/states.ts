import { accountStates } from './accountStates.ts';
import { appStates } from './appStates.ts';
import type { Example } from './documents.ts';
import type { ExampleRows } from './exampleRows.ts';
import { projectStates } from './projectStates.ts';

/** Values for fields of the example that only the server knows, such as the token of an e-mail. Undefined: left out. */
export type Given = Readonly<Record<string, unknown>>;

/** What must have happened before some calls, besides the rows that their examples name. */
export type States = Readonly<Record<string, (rows: ExampleRows) => Promise<unknown>>>;

const ofProjects: States = { ...accountStates, ...projectStates };

/** The names of the calls that need more than rows. */
export const preparedCalls = [ofProjects, appStates].flatMap(states => Object.keys(states));

/** Prepares the server for a call of an API. */
export async function prepared(api: string, { name }: Example, rows: ExampleRows): Promise<Given> {
  const states = api === 'App API' ? appStates : ofProjects;
  return ((await states[name]?.(rows)) as Given | undefined) ?? {};
}

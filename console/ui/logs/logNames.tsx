import { createContext, Fragment, type ReactNode } from 'react';
import type { LogEntry } from '#contract/log.ts';
import css from './Lines.module.css';

/** What things are called whose ids are in the sentences of these entries. */
export type UseNames = (projectId: string, entries: readonly LogEntry[]) => ReadonlyMap<string, string>;

const none: ReadonlyMap<string, string> = new Map();

/** Where a log is of more than one thing: who looks the names up, for as many lines as are drawn. */
export const LogNames = createContext<{ projectId: string; useNames: UseNames }>({
  projectId: '',
  useNames: () => none,
});

const anId = /\b([a-z]{3}_[0-9a-z]{26})\b/;

interface NamedTextProps {
  text: string;
  names: ReadonlyMap<string, string>;
  /** What stands for a thing; its name alone unless given. */
  named?: (id: string, name: string) => ReactNode;
}

/** A sentence in which things have their names; those that are gone have only their id. */
export function NamedText({ text, names, named = nameAlone }: NamedTextProps) {
  return text.split(anId).map((part, at) => {
    const name = names.get(part);
    const said = at % 2 === 0 ? part : name === undefined ? idAlone(part) : named(part, name);
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence keep their places
    return <Fragment key={at}>{said}</Fragment>;
  });
}

const nameAlone = (id: string, name: string) => <bdi title={id}>{name}</bdi>;
/** On a phone about as long as the name that comes for it: lines do not become fewer then. */
const idAlone = (id: string) => (
  <span className={css.id} title={id}>
    {id}
  </span>
);

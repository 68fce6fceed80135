import { createContext, Fragment, type ReactNode, useContext } from 'react';
import type { LogEntry } from '#contract/log.ts';
import css from './Lines.module.css';
import { Marked } from './Marked.tsx';
import { SoughtLines } from './soughtLines.ts';

/** The names of the items whose ids are in the sentences of these entries. */
export type UseNames = (projectId: string, entries: readonly LogEntry[]) => ReadonlyMap<string, string>;

const none: ReadonlyMap<string, string> = new Map();

/** For logs about more than one item: the hook that looks up names, for the lines that are rendered. */
export const LogNames = createContext<{ projectId: string; useNames: UseNames }>({
  projectId: '',
  useNames: () => none,
});

const anId = /\b([a-z]{3}_[0-9a-z]{26})\b/;

interface NamedTextProps {
  text: string;
  names: ReadonlyMap<string, string>;
  /** What to show for an item; by default its name. */
  named?: (id: string, name: string) => ReactNode;
}

/** A sentence in which items have their names; deleted items have only their id. */
export function NamedText({ text, names, named = nameAlone }: NamedTextProps) {
  const sought = useContext(SoughtLines).text;
  return text.split(anId).map((part, at) => {
    const name = names.get(part);
    const said =
      at % 2 === 0 ? (
        <Marked text={part} sought={sought} />
      ) : name === undefined ? (
        idAlone(part)
      ) : (
        named(part, name)
      );
    // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified by position
    return <Fragment key={at}>{said}</Fragment>;
  });
}

const nameAlone = (id: string, name: string) => <bdi title={id}>{name}</bdi>;
/** On a phone, cut to about the length of a name, so that the number of lines stays the same when the name arrives. */
const idAlone = (id: string) => (
  <span className={css.id} title={id}>
    {id}
  </span>
);

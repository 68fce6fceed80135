import { type ReactNode, useState } from 'react';
import { Button } from '#console/ui/Button.tsx';
import { TextField } from '#console/ui/TextField.tsx';
import { useUrlState } from '#console/urlState.ts';
import css from './logs.module.css';
import type { AuditQuery } from './useAuditEntries.ts';

const fields = ['q', 'who', 'action', 'from', 'to'] as const;
type Asked = Record<(typeof fields)[number], string>;

const pageEntries = 15;

export interface Search {
  asked: Asked;
  isOn: boolean;
  /** What it adds to the question, the view's stretch of time unless one is given. */
  query: Partial<AuditQuery>;
  ask: (asked: Partial<Asked>) => void;
}

/** The search lives in the address, so that what one found can be sent to a colleague. */
export function useAuditSearch(): Search {
  const [url, change] = useUrlState();
  const asked = Object.fromEntries(fields.map(name => [name, url[name] ?? ''])) as Asked;
  const isOn = fields.some(name => asked[name] !== '');
  return {
    asked,
    isOn,
    query: isOn ? queryOf(asked) : {},
    ask: next => change({ ...next, view: undefined }),
  };
}

function queryOf({ q, who, action, from, to }: Asked): Partial<AuditQuery> {
  return {
    maxEntries: pageEntries,
    ...(q && { text: q }),
    ...(who && { actor: who }),
    ...(action && { action }),
    ...(isTime(from) && { begin: new Date(from).toISOString() }),
    ...(isTime(to) && { end: new Date(to).toISOString() }),
  };
}

function isTime(text: string): boolean {
  return text !== '' && !Number.isNaN(Date.parse(text));
}

/** Looks through the whole log, not only at what is loaded. */
export function AuditSearch({ search, tools }: { search: Search; tools: ReactNode }) {
  const [typed, setTyped] = useState<Asked>(search.asked);
  const field = (name: keyof Asked) => ({
    value: typed[name],
    onChange: (value: string) => setTyped({ ...typed, [name]: value }),
  });
  function clear() {
    const nothing: Asked = { q: '', who: '', action: '', from: '', to: '' };
    setTyped(nothing);
    search.ask(nothing);
  }
  return (
    <form
      className={css.search}
      onSubmit={event => {
        event.preventDefault();
        search.ask(typed);
      }}
    >
      <TextField label="Text" {...field('q')} />
      <TextField label="Actor id" {...field('who')} />
      <TextField label="Action" placeholder="editProject" {...field('action')} />
      <TextField label="From" type="datetime-local" {...field('from')} />
      <TextField label="To" type="datetime-local" {...field('to')} />
      <div className={css.buttons}>
        <Button type="submit">Search the log</Button>
        {search.isOn && (
          <Button variant="quiet" onClick={clear}>
            Clear
          </Button>
        )}
        <span className={css.tools}>{tools}</span>
      </div>
    </form>
  );
}

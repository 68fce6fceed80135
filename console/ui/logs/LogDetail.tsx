import { type ReactNode, useContext } from 'react';
import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import type { LogEntry } from '#contract/log.ts';
import css from './LogDetail.module.css';
import { type Change, changesOf } from './logChanges.ts';
import { LogNarrowing } from './logNarrowing.ts';
import { SoughtLines } from './soughtLines.ts';

/**
 * The details of an entry: the changes as a table, then who made them, from where, and the ids to find the entry by.
 */
export function LogDetail({ entry }: { entry: LogEntry }) {
  const { before, after, address, requestId, ...rest } = entry.detail ?? {};
  const changes = changesOf(before, after);
  const narrow = useContext(LogNarrowing);
  const { linkTo, showAround, line } = useContext(SoughtLines);
  const only = (label: string, by: { who: string } | { action: string }) =>
    narrow && (
      <Button variant="quiet" onClick={() => narrow(by)}>
        Only these<span className="visuallyHidden"> entries {label}</span>
      </Button>
    );
  return (
    <div className={css.detail}>
      {changes.length > 0 && <Changes changes={changes} />}
      <dl className={css.facts}>
        <Fact name="Action">
          <CopyText text={entry.action} label="Copy action" />
          {only(`of ${entry.action}`, { action: entry.action })}
        </Fact>
        <Fact name="By">
          {entry.actor.displayName} <span className={css.kind}>{entry.actor.callerType}</span>{' '}
          {entry.actor.id && <CopyText text={entry.actor.id} label="Copy actor id" />}
          {entry.actor.id && only(`by ${entry.actor.displayName || entry.actor.id}`, { who: entry.actor.id })}
        </Fact>
        {entry.actor.bySudoer && (
          <Fact name="Support">Done by a support agent acting as this developer.</Fact>
        )}
        {entry.actor.tokenName !== undefined && <Fact name="Access token">{entry.actor.tokenName}</Fact>}
        {typeof address === 'string' && <Fact name="Source">{address}</Fact>}
        <Fact name="Time">{entry.ts.replace('T', ' ').replace('Z', ' UTC')}</Fact>
        {typeof requestId === 'string' && (
          <Fact name="Request">
            <CopyText text={requestId} label="Copy request id" />
          </Fact>
        )}
        <Fact name="Entry">
          <CopyText text={entry.id} label="Copy entry id" />
          {linkTo && (
            <CopyText text={linkTo(entry.id)} shown="Copy link" isWord label="Copy link to this line" />
          )}
          {showAround && line !== entry.id && (
            <Button variant="quiet" onClick={() => showAround(entry.id)}>
              Show lines around it
            </Button>
          )}
        </Fact>
      </dl>
      {Object.keys(rest).length > 0 && <pre className={css.json}>{JSON.stringify(rest, null, 2)}</pre>}
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Something that was created or deleted has only one side. */
function Changes({ changes }: { changes: readonly Change[] }) {
  const hasBefore = changes.some(({ before }) => before !== undefined);
  const hasAfter = changes.some(({ after }) => after !== undefined);
  return (
    <table className={css.changes} aria-label="What changed">
      <thead>
        <tr>
          <th scope="col">Field</th>
          {hasBefore && <th scope="col">{hasAfter ? 'Before' : 'Previous'}</th>}
          {hasAfter && <th scope="col">{hasBefore ? 'After' : 'Value'}</th>}
        </tr>
      </thead>
      <tbody>
        {changes.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {hasBefore && (
              <td>
                {before === undefined ? (
                  <None />
                ) : (
                  <del dir="auto" className={css.was}>
                    {before}
                  </del>
                )}
              </td>
            )}
            {hasAfter && (
              <td>
                {after === undefined ? (
                  <None />
                ) : (
                  <ins dir="auto" className={css.is}>
                    {after}
                  </ins>
                )}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function None() {
  return <span className={css.none}>not set</span>;
}

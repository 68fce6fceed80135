import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { Button } from '#console/ui/Button.tsx';
import { Buoy } from '#console/ui/drawings.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { type Finding, listFindings } from '#contract/finding.ts';
import { numberText } from '#rules/text/numberText.ts';
import { FindingRow } from './FindingRow.tsx';
import { listOf } from './findingLinks.ts';
import { findingRows } from './findingRows.ts';
import css from './findings.module.css';
import { titleOf } from './findingWords.ts';

const askAgainMs = 20_000;

export const useFindings = (projectId: string) =>
  useRead(listFindings, { params: { projectId } }, { refetchInterval: askAgainMs });

/** What needs attention, the most urgent first: why, since when, whom it affects, and the next thing to do. */
export function FindingsPanel({ projectId }: { projectId: string }) {
  const read = useFindings(projectId);
  const [isWhole, setWhole] = useState(false);
  const { rows, rest, visible, urgent, hidden } = findingRows(read.data ?? [], isWhole);
  const hasMore = rest.length > 0 || hidden > 0;
  return (
    <Panel
      title="Needs attention"
      note={urgent > 0 && numberText(visible)}
      action={urgent > 1 && <span className={css.order}>most urgent first</span>}
      flush
    >
      <ReadState
        read={read}
        what="What needs attention"
        skeleton={<Skeleton shape="rows" lines={1} unsized />}
      />
      {read.data && urgent === 0 && !isWhole && <Calm />}
      {rows.length > 0 && (
        <ul className={css.findings}>
          {rows.map((finding, at) => (
            <FindingRow key={finding.id} projectId={projectId} finding={finding} isFirst={at === 0} />
          ))}
        </ul>
      )}
      {(hasMore || isWhole) && (
        <footer className={css.rest}>
          {hasMore && <Rest projectId={projectId} rest={rest} isAll={urgent === 0} hidden={hidden} />}
          <Button variant="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show fewer' : 'Show all'}
          </Button>
        </footer>
      )}
    </Panel>
  );
}

interface RestProps {
  projectId: string;
  rest: readonly Finding[];
  /** True: there is nothing else. */
  isAll: boolean;
  hidden: number;
}

/** "And 3 smaller: 5 devices never connected · 3 messages in quarantine · 1 hidden" */
function Rest({ projectId, rest, isAll, hidden }: RestProps) {
  const smaller = `${numberText(rest.length)} smaller`;
  return (
    <p>
      {rest.length > 0 && `${isAll ? smaller : `And ${smaller}`}: `}
      {rest.map((finding, at) => (
        <span key={finding.id}>
          {at > 0 && ' · '}
          <Link {...listOf(projectId, finding)} dir="auto">
            {titleOf(finding)}
          </Link>
        </span>
      ))}
      {hidden > 0 && `${rest.length > 0 ? ' · ' : ''}${numberText(hidden)} hidden`}
    </p>
  );
}

function Calm() {
  return (
    <div className={css.calm}>
      <Buoy size={64} />
      <div>
        <h3>Nothing needs attention</h3>
        <p>Watched are connections, alerts, commands, updates, rollouts and quiet devices.</p>
      </div>
    </div>
  );
}

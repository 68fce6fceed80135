import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { useLiveEntries } from '#console/core/live/live.ts';
import { initialsOf } from '#console/core/membership/initials.ts';
import { serverNow } from '#console/core/serverClock.ts';
import { useNamedDevices } from '#console/devices/deviceNames.ts';
import { changesInShort, changesOf } from '#console/ui/logs/logChanges.ts';
import { NamedText } from '#console/ui/logs/logNames.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { type LogEntry, readLogEntries } from '#contract/log.ts';
import { dayMs } from '#rules/time/durations.ts';
import { activeSentence } from './activeSentence.ts';
import css from './overview.module.css';
import { recentGroups } from './recentGroups.ts';

const shown = 6;
/** More than are shown, as similar entries are combined into one line. */
const readMax = 60;
const windowMs = 30 * dayMs;

/** Recent changes in the project, and who made them; new entries appear by themselves. */
export function RecentChangesPanel({ projectId }: { projectId: string }) {
  // The period stays fixed while the screen is open: a moving one would be a new read each time.
  const [range] = useState(() => {
    const now = serverNow();
    return { begin: new Date(now - windowMs).toISOString(), end: new Date(now + windowMs).toISOString() };
  });
  const query = { ...range, maxEntries: readMax };
  const read = useRead(readLogEntries, { params: { projectId }, query });
  const { data } = read;
  const groups = data && recentGroups(data).slice(0, shown);
  const { names, isAsking } = useNamedDevices(
    projectId,
    groups?.map(([first]) => first),
  );
  useLiveEntries(() => void read.refetch());
  return (
    <Panel
      title="Recent activity"
      action={
        <Link to="/projects/$projectId/settings/audit_logs" params={{ projectId }} className={css.more}>
          Audit log
        </Link>
      }
    >
      <ReadState read={read} what="The audit log" skeleton={<Skeleton lines={4} unsized />} />
      {groups?.length === 0 && <p className={css.none}>No changes in the last 30 days.</p>}
      {/* Waits for the names: a name is shorter than its id, so fewer lines would wrap, and the content below would
          move. */}
      {isAsking && <Skeleton lines={4} unsized />}
      {groups && groups.length > 0 && !isAsking && (
        <ol className={css.lately}>
          {groups.map(([entry, ...others]) => (
            <Entry key={entry.id} {...{ projectId, entry, names }} more={others.length} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

function Entry({
  projectId,
  entry,
  names,
  more,
}: {
  projectId: string;
  entry: LogEntry;
  names: ReadonlyMap<string, string>;
  /** The number of preceding entries of the same kind. */
  more: number;
}) {
  const { ts, actor } = entry;
  const { sentence, changed } = shownOf(entry);
  const who = (
    <>
      {actor.displayName}
      {actor.bySudoer && <span title="By support, acting as this developer">*</span>}
    </>
  );
  return (
    <li>
      <span className={css.avatar} aria-hidden="true">
        {initialsOf(actor.displayName)}
      </span>
      <span className={css.text}>
        {sentence && <b dir="auto">{who} </b>}
        <NamedText
          text={sentence ? withoutNouns(sentence, names) : entry.text}
          names={names}
          named={(deviceId, name) => (
            <Link to="/projects/$projectId/devices/$deviceId" params={{ projectId, deviceId }} dir="auto">
              {name}
            </Link>
          )}
        />
        {more > 0 && `, and ${more} similar ${more === 1 ? 'change' : 'changes'}`}
      </span>
      {changed && <span className={css.changed}>{changed}</span>}
      <span className={css.by}>
        {!sentence && <>{who} · </>}
        <TimeAgo time={ts} />
      </span>
    </li>
  );
}

/** The entry in the active voice, if possible; an edit that has its own verb is described by that verb. */
function shownOf({ text, detail }: LogEntry): { sentence: string | undefined; changed: string } {
  const sentence = activeSentence(text);
  const [only, another] = changesOf(detail?.before, detail?.after);
  if (sentence?.startsWith('updated ') && only?.name === 'suspended' && !another)
    return {
      sentence: sentence.replace('updated', only.after === 'true' ? 'suspended' : 'resumed'),
      changed: '',
    };
  return { sentence, changed: changesInShort(detail?.before, detail?.after) };
}

/** Drops the word "device" where the device is shown by name. */
const withoutNouns = (sentence: string, names: ReadonlyMap<string, string>) =>
  sentence.replace(/\bdevice (dev_[0-9a-z]{26})\b/g, (all, id: string) => (names.has(id) ? id : all));

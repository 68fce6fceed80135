import { useRead } from '#console/core/api.ts';
import { binarySize } from '#console/firmware/firmwareWords.ts';
import { PersonLink } from '#console/ui/links/PersonLink.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { momentText } from '#console/ui/time/dateTexts.ts';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { Device } from '#contract/device.ts';
import { type DeviceUpdate, type HomeAnswer, listDeviceUpdates } from '#contract/deviceFirmware.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './deviceFirmware.module.css';
import { updateWords } from './updateWords.ts';

const shownMax = 25;

/** What the device was told to run and the outcome, newest first. */
export function UpdateHistory({ device, sequence }: { device: Device; sequence: number | undefined }) {
  const { id: deviceId, projectId } = device;
  const read = useRead(listDeviceUpdates, { params: { deviceId }, query: { limit: shownMax } });
  const { data } = read;
  return (
    <>
      <ReadState read={read} what="The update history" skeleton={<Skeleton shape="rows" lines={2} />} />
      {data?.total === 0 && <p className={css.note}>No firmware has been assigned to this device.</p>}
      <ol className={css.ran}>
        {data?.items.map(update => (
          <li key={update.sequence} data-current={update.sequence === sequence || undefined}>
            <span className={css.ranBundle} dir="auto">
              {update.bundle?.name ?? 'nothing'}
            </span>
            <span className={css.small}>
              {cameOf(update)}
              {update.error && <code className={css.said}>{update.error}</code>}
              {update.consent && <Answered projectId={projectId} answer={update.consent} />}
            </span>
            <span className={css.small}>
              <TimeAgo time={update.stateAt} />
            </span>
            <b data-state={update.state}>{cameOutAs(update, sequence)}</b>
          </li>
        ))}
      </ol>
      {data && data.total > shownMax && (
        <p className={css.small}>
          The last {shownMax} of {numberText(data.total)}.
        </p>
      )}
    </>
  );
}

/** The answer of the home to the update. */
function Answered({ projectId, answer }: { projectId: string; answer: HomeAnswer }) {
  const { by, at, until } = answer;
  return (
    <span className={css.answered}>
      {until ? `Postponed until ${momentText(until)}` : 'Approved'} in the app
      {by && (
        <>
          {' '}
          by{' '}
          {by.name === undefined ? (
            'an erased user'
          ) : (
            <PersonLink {...{ projectId }} person={{ ...by, name: by.name }} />
          )}
        </>
      )}
      , {momentText(at)}
    </span>
  );
}

/** Of the earlier updates, none is running any more, so "done" reads "installed". */
function cameOutAs({ state, sequence }: DeviceUpdate, current: number | undefined): string {
  return state === 'done' && sequence !== current ? 'installed' : updateWords[state].word.toLowerCase();
}

/** What decided the update, and what went wrong. */
function cameOf({ origin, code, attempts, sequence, bytes, deltaBytes }: DeviceUpdate): string {
  const by = origin === 'pin' ? 'pinned' : origin ? `by its ${origin}` : 'withdrawn';
  const tries = attempts > 1 ? `, ${attempts} tries` : '';
  const delta = deltaBytes === undefined ? '' : `, delta of ${binarySize(deltaBytes)}`;
  const fetched = bytes === 0 ? '' : `, ${binarySize(bytes)} downloaded`;
  return `${sequence} · ${by}${code ? `, ${code}` : ''}${tries}${delta}${fetched}`;
}

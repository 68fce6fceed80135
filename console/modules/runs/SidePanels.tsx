import { serverNow } from '#console/core/serverClock.ts';
import { isFailing } from '#console/modules/isFailing.ts';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { hourText, momentText } from '#console/ui/time/dateTexts.ts';
import { durationText, LastsSince, TimeAgo, useNow } from '#console/ui/time/TimeAgo.tsx';
import { holdingMax, type ModuleFigures } from '#contract/moduleRun.ts';
import { numberText } from '#rules/text/numberText.ts';
import { dayMs } from '#rules/time/durations.ts';
import { neverWords, retryWords } from './runWords.ts';
import css from './sidePanels.module.css';

/** How fast a module is, and how many runs wait. */
export function FiguresPanel({
  figures,
  createdAt,
}: {
  figures: ModuleFigures | undefined;
  createdAt: string;
}) {
  const now = useNow();
  if (!figures)
    return (
      <Panel title="Now">
        <div className={css.waiting} />
      </Panel>
    );
  const { lagMs, perMinute, waiting, oldestWaiting, holding, failingSince, lastAt } = figures;
  return (
    <Panel title="Now">
      <Facts
        facts={[
          ['Rate', `${rateText(perMinute)} a minute`],
          ...(lagMs
            ? [['Median delay', msText(lagMs.median)] as const, ['99 % within', msText(lagMs.p99)] as const]
            : []),
          ['Waiting', numberText(waiting)],
          ...(oldestWaiting ? [['Oldest waits', <LastsSince key="o" time={oldestWaiting} />] as const] : []),
          ...(holding ? [['Condition holds', holdingText(holding)] as const] : []),
          ...(isFailing(failingSince, now)
            ? [
                [
                  'Failing since',
                  <span key="f" className={css.bad}>
                    <TimeAgo time={failingSince} />
                  </span>,
                ] as const,
              ]
            : []),
          ['Last', <TimeAgo key="l" time={lastAt} never={neverWords(createdAt)} />],
        ]}
      />
    </Panel>
  );
}

/** "3 devices, acts at 17:24" */
function holdingText({ devices, actsAt }: NonNullable<ModuleFigures['holding']>): string {
  const many = `${numberText(devices)}${devices >= holdingMax ? '+' : ''} ${devices === 1 ? 'device' : 'devices'}`;
  const isSoon = Date.parse(actsAt) - serverNow() < dayMs;
  return `${many}, acts at ${isSoon ? hourText(actsAt) : momentText(actsAt)}`;
}

const rateText = (rate: number) => numberText(rate, rate < 10 ? 1 : 0);
const msText = (ms: number) => (ms < 1000 ? `${numberText(Math.round(ms))} ms` : durationText(ms));

/** When a webhook tries again. */
export function RetryPanel() {
  return (
    <Panel title="Retry schedule">
      <ol className={css.retries} aria-label="Attempts">
        {retryWords.map((word, at) => (
          <li key={word}>
            <i>{at + 1}</i>
            <span>{word}</span>
          </li>
        ))}
      </ol>
      <p className={css.retryText}>
        Seven attempts over about 18 hours, 10 s for each answer. Later events of a device wait behind its
        first failed one; other devices are not affected.
      </p>
      <p className={css.quiet}>
        An answer of 410 suspends the module. If everything fails for 4 days you are warned; after 5 days the
        module is suspended.
      </p>
    </Panel>
  );
}

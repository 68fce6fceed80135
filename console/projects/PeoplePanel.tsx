import { Link } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { sumOf, totalOf } from '#console/devices/states/deviceStates.ts';
import { countOf } from '#console/firmware/firmwareWords.ts';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { peopleMax, readPeopleFigures, readStats } from '#contract/stats.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './overview.module.css';

/** How many people use the product, and how many of its devices are claimed. */
export function PeoplePanel({ projectId }: { projectId: string }) {
  const params = { projectId };
  const read = useRead(readPeopleFigures, { params });
  const { data: stats } = useRead(readStats, { params });
  const { data } = read;
  return (
    <Panel
      title="People"
      action={
        <Link to="/projects/$projectId/users" params={params} className={css.more}>
          Users
        </Link>
      }
    >
      <ReadState read={read} what="The figures" skeleton={<Skeleton lines={4} unsized />} />
      {data && (
        <Facts
          facts={[
            [
              'Users',
              data.newUsers > 0
                ? `${numberText(data.users)}, ${upTo(data.newUsers)} new this week`
                : numberText(data.users),
            ],
            ['Seen in 24 h', upTo(data.seenUsers)],
            ['Homes', upTo(data.homes)],
            ['Claimed', stats ? claimedText(stats.devices) : '–'],
          ]}
        />
      )}
    </Panel>
  );
}

const upTo = (count: number) => `${numberText(count)}${count >= peopleMax ? '+' : ''}`;

/** "34 of 41 devices" */
function claimedText(
  classes: readonly (Parameters<typeof sumOf>[0][number] & { claimed: number })[],
): string {
  const claimed = classes.reduce((sum, one) => sum + one.claimed, 0);
  const total = totalOf(sumOf(classes));
  return `${numberText(claimed)} of ${countOf(total, 'device')}`;
}

import { Link } from '@tanstack/react-router';
import { countOf } from '#console/firmware/firmwareWords.ts';
import type { Home } from '#contract/home.ts';
import css from './users.module.css';

/** The homes that prevent an erasure, as links to where they can be transferred. */
export function OwnedHomes({ projectId, homes }: { projectId: string; homes: readonly Home[] }) {
  return (
    <ul className={css.owned}>
      {homes.map(({ id: homeId, name, memberCount, deviceCount }) => (
        <li key={homeId}>
          <Link to="/projects/$projectId/homes/$homeId" params={{ projectId, homeId }} dir="auto">
            {name}
          </Link>{' '}
          <span className={css.quiet}>
            home {homeId}, {countOf(memberCount, 'member')}, {countOf(deviceCount, 'device')}
          </span>
        </li>
      ))}
    </ul>
  );
}

import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { useProject } from '#console/core/membership/useProject.ts';
import { Button } from '#console/ui/Button.tsx';
import { LinePanel } from '#console/ui/screen/LinePanel.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { homesOfUserMax, listHomes } from '#contract/home.ts';
import type { User } from '#contract/user.ts';
import { HomeOfUser } from './HomeOfUser.tsx';
import css from './userPage.module.css';

/** Each home reads its members and devices, so only the first few of up to a hundred are shown. */
const shownFirst = 5;

/** The homes that a user is a member of, each with its devices and the user's rights. */
export function HomesOfUser({ user }: { user: User }) {
  const { id: userId, projectId } = user;
  const { data: project } = useProject();
  const read = useRead(listHomes, { query: { userId, limit: homesOfUserMax } });
  const [all, setAll] = useState(false);
  const { data } = read;
  if (!data || !project)
    return (
      <Panel title="Homes">
        <ReadState read={read} what="The homes" skeleton={<Skeleton lines={5} unsized />} />
      </Panel>
    );
  if (data.total === 0)
    return (
      <LinePanel title="Homes">Not in any home yet. A home is created in the app, or under Homes.</LinePanel>
    );
  const homes = all ? data.items : data.items.slice(0, shownFirst);
  return (
    <section aria-labelledby="homesOfUser" className={css.homesOf}>
      <div className={css.homesHead}>
        <h2 id="homesOfUser">Homes</h2>
        <span>{data.total}</span>
      </div>
      <ReadState read={read} what="The homes" refetchError />
      {homes.map(home => (
        <HomeOfUser
          key={home.id}
          {...{ projectId, userId, home }}
          hasRoles={project.enablePermissionBasedAccessControl}
        />
      ))}
      {homes.length < data.items.length && (
        <Button onClick={() => setAll(true)}>Show all {data.items.length} homes</Button>
      )}
    </section>
  );
}

import { Avatar } from '#console/people/Avatar.tsx';
import type { Me } from '#sdk/app.ts';
import { nameOfUser } from '../nameOfUser.ts';
import type { AppSimulation } from '../simulation.ts';
import css from './homes.module.css';

/** Shows the signed-in user; leads to the account. */
export function AccountButton({ simulation, user }: { simulation: AppSimulation; user: Me }) {
  return (
    <button
      type="button"
      className={css.account}
      onClick={() => simulation.navigation.open({ kind: 'account' })}
    >
      <Avatar name={nameOfUser(user)} id={user.id} size="large" />
      <span className="visuallyHidden">Account of {nameOfUser(user)}</span>
    </button>
  );
}

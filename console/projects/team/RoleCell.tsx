import { roleWords } from '#console/core/membership/roleWords.ts';
import { Menu } from '#console/ui/dialog/Menu.tsx';
import { CheckIcon, ChevronDownIcon } from '#console/ui/icons/icons.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import type { Role } from '#contract/endpoint.ts';
import type { Member } from '#contract/team.ts';
import { roleChoices } from './roleDuties.ts';
import css from './team.module.css';

interface RoleCellProps {
  member: Member;
  /** Absent: the developer may not change it. */
  onChoose?: ((role: Role) => void) | undefined;
}

/** The role of a member, changed in place. */
export function RoleCell({ member: { role, pending, name, email }, onChoose }: RoleCellProps) {
  return (
    <span className={css.role}>
      {onChoose ? (
        <Menu
          label={`Role of ${pending ? email : name}:`}
          trigger={
            <>
              {roleWords[role]}
              <ChevronDownIcon size={14} />
            </>
          }
          triggerClass={css.chosenRole}
          items={roleChoices.map(({ value, label, inShort }) => ({
            label,
            note: value === role ? <CheckIcon size={14} /> : inShort,
            run: () => value !== role && onChoose(value),
          }))}
        />
      ) : (
        roleWords[role]
      )}
      {pending && <StatePill tone="warn" word="Pending" />}
    </span>
  );
}

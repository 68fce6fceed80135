import type { ReactNode } from 'react';
import { buttonClass } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { Menu, type MenuItem } from '#console/ui/dialog/Menu.tsx';
import { MoreIcon } from '#console/ui/icons/icons.tsx';
import css from './Screen.module.css';
import { Columns, Screen } from './Screen.tsx';

interface DetailScreenProps {
  /** The item's name; its id is shown beside it. */
  name: string;
  /** Shown before the name: the avatar of a person. */
  lead?: ReactNode;
  id?: string;
  /** The copy label, if something else replaces the id: "Copy tag". */
  idLabel?: string;
  /** A `StatePill`. */
  state?: ReactNode;
  /** The most frequent actions, as buttons. */
  actions?: ReactNode;
  /** Rare or dangerous actions. */
  menu?: readonly (MenuItem | 'line')[];
  tabs?: ReactNode;
  /** Shown above both columns: a band that says what to do. */
  above?: ReactNode;
  /** Panels. */
  children: ReactNode;
  /** Panels in the narrow column; under the others on a small screen. */
  side?: ReactNode;
}

export function DetailScreen({ name, lead, id, state, actions, menu, ...rest }: DetailScreenProps) {
  const { idLabel = 'Copy id', tabs, above, children, side } = rest;
  return (
    <Screen
      title={name}
      lead={lead}
      tabs={tabs}
      beside={
        <>
          {id !== undefined && <CopyText text={id} label={idLabel} />}
          {state}
        </>
      }
      actions={
        (actions || menu) && (
          <>
            {actions}
            {menu && (
              <Menu
                label="More actions"
                items={menu}
                trigger={<MoreIcon />}
                triggerClass={buttonClass('plain', css.more)}
              />
            )}
          </>
        )
      }
    >
      {above}
      <Columns side={side}>{children}</Columns>
    </Screen>
  );
}

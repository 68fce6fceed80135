import { initialsOf } from '#console/membership/initials.ts';
import { UserIcon } from '#console/ui/icons/icons.tsx';
import { colourOf } from '#console/ui/Tile.tsx';
import css from './people.module.css';

interface AvatarProps {
  /** Empty: nobody said it. */
  name: string;
  /** Decides the colour, so that it stays the same. */
  id: string;
  size?: 'small' | 'large';
}

/** The mark by which a person is told from others at a glance; decoration, the name stands beside it. */
export function Avatar({ name, id, size = 'small' }: AvatarProps) {
  return (
    <span className={css.avatar} aria-hidden="true" data-size={size} data-colour={colourOf(id)}>
      {name.trim() ? initialsOf(name) : <UserIcon size={size === 'small' ? 15 : 18} />}
    </span>
  );
}

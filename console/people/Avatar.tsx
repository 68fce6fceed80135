import { initialsOf } from '#console/core/membership/initials.ts';
import { UserIcon } from '#console/ui/icons/icons.tsx';
import { colourOf } from '#console/ui/Tile.tsx';
import css from './people.module.css';

interface AvatarProps {
  /** Empty: not known. */
  name: string;
  /** Decides the colour, so that it stays the same. */
  id: string;
  size?: 'small' | 'large';
}

/** A mark to recognize a person at a glance; decorative, as the name is beside it. */
export function Avatar({ name, id, size = 'small' }: AvatarProps) {
  return (
    <span className={css.avatar} aria-hidden="true" data-size={size} data-colour={colourOf(id)}>
      {name.trim() ? initialsOf(name) : <UserIcon size={size === 'small' ? 15 : 18} />}
    </span>
  );
}

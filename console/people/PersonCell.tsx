import { Breakable } from '#console/ui/Breakable.tsx';
import { type Person, personDetail } from '#console/ui/links/personWords.ts';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { Avatar } from './Avatar.tsx';
import css from './people.module.css';

/** A person in a table: avatar, name, and a detail that tells them apart. */
export function PersonCell({ person }: { person: Person }) {
  const { id, name, email } = person;
  return (
    <span className={css.person}>
      <Avatar name={name} id={id} />
      <TwoLines
        strong
        main={name ? <span dir="auto">{name}</span> : <span className={css.nameless}>No name</span>}
        sub={
          <span dir="auto">
            <Breakable text={personDetail(person)} />
          </span>
        }
        {...(!email && { mono: 'sub' })}
      />
    </span>
  );
}

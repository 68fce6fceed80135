import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { personDetail, personName } from '#console/ui/links/personWords.ts';
import { listUsers } from '#contract/user.ts';
import { Avatar } from './Avatar.tsx';
import { PickOne } from './PickOne.tsx';

interface PickUserProps {
  projectId: string;
  label: string;
  hint?: string;
  value: string;
  onChange: (userId: string) => void;
  error?: string | undefined;
  /** Those who cannot be chosen. */
  without?: readonly string[];
  /** Called with the typed text, which may be the address of someone without an account. */
  onTyped?: (typed: string) => void;
  none?: string;
}

const shownMax = 6;

/** One of the project's users, by name, address or id. */
export function PickUser({
  projectId,
  without = [],
  onTyped,
  none = 'No such user.',
  ...field
}: PickUserProps) {
  const [search, setSearch] = useState('');
  const limit = Math.min(100, shownMax + without.length);
  const { data, error } = useRead(listUsers, { query: { projectId, limit, ...(search && { search }) } });
  const found = data?.items
    .filter(({ id }) => !without.includes(id))
    .slice(0, shownMax)
    .map(user => ({
      value: user.id,
      label: personName(user),
      icon: <Avatar name={user.name} id={user.id} />,
      ...(personDetail(user) !== personName(user) && { detail: personDetail(user) }),
    }));
  return (
    <PickOne
      {...field}
      placeholder="Name, e-mail, id…"
      found={found}
      failed={error}
      none={none}
      onSearch={typed => {
        setSearch(typed);
        onTyped?.(typed);
      }}
    />
  );
}

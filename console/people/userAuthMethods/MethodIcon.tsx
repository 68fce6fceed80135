import { useState } from 'react';
import { UserIcon } from '#console/ui/icons/icons.tsx';
import { pathOf } from '#contract/client.ts';
import { readUserAuthIcon, type UserAuthMethod } from '#contract/userAuthMethod.ts';
import css from './userAuthMethods.module.css';

interface MethodIconProps {
  projectId: string;
  method: Pick<UserAuthMethod, 'id' | 'iconUrl' | 'revision'>;
}

/** The platform's copy of a method's icon; a generic one if it has none. Decorative, as the label says the same. */
export function MethodIcon({ projectId, method: { id, iconUrl, revision } }: MethodIconProps) {
  const src = `/api${pathOf(readUserAuthIcon, { projectId, methodId: id })}?revision=${revision}`;
  const [broken, setBroken] = useState<string>();
  return (
    <span className={css.icon} aria-hidden="true">
      {iconUrl && broken !== src ? (
        <img src={src} alt="" onError={() => setBroken(src)} />
      ) : (
        <UserIcon size={14} />
      )}
    </span>
  );
}

import { useStore } from '#console/core/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import phoneCss from '../phone/phone.module.css';
import type { HomeFeed } from './homeFeed.ts';

/** Why events or alerts could not be read, with a button to try again; renders nothing otherwise. */
export function Unread({ feed }: { feed: HomeFeed }) {
  const failure = useStore(feed.failure);
  if (!failure) return null;
  return (
    <>
      <FormError error={failure} />
      <div className={phoneCss.wide}>
        <Button onClick={() => feed.readAgain()}>Retry</Button>
      </div>
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import css from '#console/accounts/accounts.module.css';

const ownMachine = ['localhost', '127.0.0.1', '[::1]'];

/** Where e-mails are, for developers who try the platform on their own machine without a mail server. */
export function OutboxHint() {
  const { data: isThere } = useQuery({
    queryKey: ['outbox'],
    // The server shows its outbox only to this machine, and only while it has no mail server.
    enabled: ownMachine.includes(window.location.hostname),
    queryFn: async ({ signal }) => (await fetch('/outbox', { method: 'HEAD', signal })).ok,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (!isThere) return null;
  return (
    <p className={css.outbox}>
      No mail server is set up, so e-mails are stored in the <a href="/outbox">outbox</a> on this machine.
    </p>
  );
}

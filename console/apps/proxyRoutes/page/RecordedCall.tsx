import css from '#console/apps/proxyRoutes/proxyRoutes.module.css';
import { CodeSample } from '#console/ui/code/CodeSample.tsx';
import type { ProxyCall } from './proxyCall.ts';

/** What was sent to the back end and what it answered, if that was recorded. */
export function RecordedCall({ call: { method, sent, received, fault } }: { call: ProxyCall }) {
  return (
    <div className={css.recorded}>
      {sent && <Message title="Sent" first={`${method} ${sent.url}`} message={sent} />}
      {received && <Message title="Received" first={`${received.status}`} message={received} />}
      {fault && <p>{fault}</p>}
    </div>
  );
}

interface MessageProps {
  title: string;
  first: string;
  message: NonNullable<ProxyCall['sent'] | ProxyCall['received']>;
}

function Message({ title, first, message: { headers = [], body } }: MessageProps) {
  const lines = [first, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <CodeSample label={title} text={[...lines, ...(body ? ['', body] : [])].join('\n')} />
    </section>
  );
}

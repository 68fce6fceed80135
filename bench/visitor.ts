import { logIn, signUp, verify } from '#contract/account.ts';
import { createClient } from '#contract/client.ts';
import { browserFetch } from '#test/browserFetch.ts';

export const password = 'a bench needs no secret 7';

/** Signs up, follows the link from the outbox and signs in, as a newcomer would. */
export async function newDeveloper(url: string, email: string) {
  const cookies = new Map<string, string>();
  const client = createClient({ baseUrl: `${url}/api`, fetch: browserFetch(cookies) });
  await client.call(signUp, { body: { orgId: 'default', name: 'Bench', email, password } });
  const mails = (await (await fetch(`${url}/outbox/messages`)).json()) as { to: string; text: string }[];
  const token = /token=([\w-]+)/.exec(mails.find(({ to }) => to === email)?.text ?? '')?.[1] ?? '';
  await client.call(verify, { body: { token } });
  await client.call(logIn, { body: { orgId: 'default', email, password } });
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return { client, cookie, email };
}

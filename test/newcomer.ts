import { type LoggedIn, logIn, signUp, verify } from '#contract/account.ts';
import { type Client, createClient } from '#contract/client.ts';
import { browserFetch } from './browserFetch.ts';

export const password = 'a lantern at low tide 7';

export interface Newcomer extends LoggedIn {
  client: Client;
  /** The cookies of the browser. */
  cookies: Map<string, string>;
  email: string;
  password: string;
}

interface OutboxMail {
  to: string;
  subject: string;
  text: string;
}

/** Signs up at a running server, follows the link from the outbox and signs in. */
export async function newcomer(url: string, email: string, name = 'Mari Kask'): Promise<Newcomer> {
  const cookies = new Map<string, string>();
  const client = createClient({ baseUrl: `${url}/api`, fetch: browserFetch(cookies) });
  await client.call(signUp, { body: { orgId: 'default', name, email, password } });
  await client.call(verify, { body: { token: (await newestToken(url, email)) ?? '' } });
  const answer = await client.call(logIn, { body: { orgId: 'default', email, password } });
  if (!('developer' in answer)) throw new Error('A new account needs no second factor.');
  return { ...answer, client, cookies, email, password };
}

/** The newest e-mail to an address, as shown by /outbox. */
export async function newestMail(url: string, email: string): Promise<OutboxMail | undefined> {
  const mails = (await (await fetch(`${url}/outbox/messages`)).json()) as OutboxMail[];
  return mails.find(({ to }) => to === email);
}

async function newestToken(url: string, email: string): Promise<string | undefined> {
  return /token=([\w-]+)/.exec((await newestMail(url, email))?.text ?? '')?.[1];
}

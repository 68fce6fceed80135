import { type OwnAccessToken, readOwnAccessToken } from '#contract/accessToken.ts';
import { type Call, type Command, type Terminal, UsageFault, type Words } from './command.ts';
import { addressOf, callerOf, forget, storeSignIn } from './signedIn.ts';

export const accountCommands: Command[] = [
  {
    name: 'login',
    says: 'asks for the address and an access token, and stores both on this machine',
    options: [{ name: 'url', takes: 'URL', says: 'the address, instead of asking for it' }],
    alone: logIn,
  },
  {
    name: 'logout',
    says: 'removes the address and the access token from this machine',
    async alone(_words, terminal) {
      forget();
      terminal.answer({ signedIn: false }, ['Signed out. The token stays valid: revoke it under Account.']);
    },
  },
  {
    name: 'whoami',
    says: 'shows whose access token is in use, and what it allows',
    async run({ client, terminal, url }) {
      const own = await client.call(readOwnAccessToken);
      terminal.answer({ url, ...own }, linesOf(url, own));
    },
  },
];

async function logIn(words: Words, terminal: Terminal): Promise<void> {
  const url = addressOf(words.value('url') ?? (await terminal.ask('Address of Mooring: ')));
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new UsageFault(`${url || 'Nothing'} is not an address.`);
  if (isInTheClear(url))
    terminal.say('Warning: without https, anyone on the network path can read the token.');
  // Not an argument, because it would stay in the shell history, and other users could see it in the process list.
  const token = await terminal.ask(`Access token (create one at ${url}/account): `, { hidden: true });
  if (!token) throw new UsageFault('The access token is missing.');
  const caller: Pick<Call, 'client'> = callerOf({ url, token });
  const own = await caller.client.call(readOwnAccessToken);
  const path = storeSignIn({ url, token });
  terminal.answer({ url, ...own }, [...linesOf(url, own), `Stored in ${path}.`]);
}

function isInTheClear(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(localhost|127\.|\[::1\])/.test(hostname);
}

function linesOf(url: string, { name, scope, projects, expiresAt, developer }: OwnAccessToken): string[] {
  const reach = projects ? projects.map(project => project.name).join(', ') || 'no project' : 'all projects';
  return [
    `${developer.name} <${developer.email}> at ${url}`,
    `Token ${name}: scope ${scope}, ${reach}, expires ${expiresAt.slice(0, 10)}`,
  ];
}

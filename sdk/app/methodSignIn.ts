import type { Tokens } from '#contract/appApi/session.ts';
import { Sha256 } from '../sha256.ts';
import type { Api } from './api.ts';
import { Remembered, type Storage } from './memory.ts';
import { randomText } from './random.ts';

/** A sign-in that was started here and must be finished here. */
interface Begun {
  methodId: string;
  verifier: string;
  state: string;
  invitation?: string;
}

/** A sign-in that came back with an error, or that was not started here. */
export class SignInFailed extends Error {
  readonly reason: string;

  /** `description`: the platform's explanation, if it sent the browser back with an error. */
  constructor(reason: string, description?: string) {
    super(description ?? 'Sign-in failed. Try again.');
    this.name = 'SignInFailed';
    this.reason = reason;
  }
}

/**
 * Sign-in with a provider (authorization code with PKCE): returns the URL to open, and handles the browser's return.
 */
export class MethodSignIn {
  readonly #api: Api;
  readonly #begun: Remembered<Begun>;

  constructor(api: Api, storage: Storage, name: string) {
    this.#api = api;
    this.#begun = new Remembered(storage, `${name} signing in`);
  }

  /**
   * Returns the URL to open in a browser. `link`: adds the method to the account of the signed-in user. `invitation`: the
   * token of an invitation, which admits a new user.
   */
  async start(
    methodId: string,
    redirectUri: string,
    { link = false, invitation }: { link?: boolean; invitation?: string } = {},
  ): Promise<string> {
    const [verifier, state] = [randomText(64), randomText(32)];
    await this.#begun.write({ methodId, verifier, state, ...(invitation !== undefined && { invitation }) });
    const body = { redirectUri, codeChallenge: challengeOf(verifier), state, ...(link && { link }) };
    const asked = { params: { methodId }, body };
    const { signInUrl } = link
      ? await this.#api.call('startMethodSignIn', asked)
      : await this.#api.callOpenly('startMethodSignIn', asked);
    return signInUrl;
  }

  /** Takes the URL that the browser came back to. */
  async finish(cameBackTo: string, deviceName: string | undefined): Promise<Tokens> {
    const begun = await this.#begun.read();
    const query = new URLSearchParams(/\?([^#]*)/.exec(cameBackTo)?.[1] ?? '');
    const code = query.get('code');
    if (!begun || query.get('state') !== begun.state) throw new SignInFailed('STATE_UNKNOWN');
    await this.#begun.forget();
    if (code === null)
      throw new SignInFailed(
        query.get('error') ?? 'CODE_MISSING',
        query.get('error_description') ?? undefined,
      );
    const { methodId, verifier: codeVerifier, invitation } = begun;
    const more = {
      ...(deviceName !== undefined && { deviceName }),
      ...(invitation !== undefined && { invitation }),
    };
    const body = { code, codeVerifier, ...more };
    return this.#api.callOpenly('finishMethodSignIn', { params: { methodId }, body });
  }
}

function challengeOf(verifier: string): string {
  const hash = new Sha256();
  hash.update(new TextEncoder().encode(verifier));
  const bytes = hash.hex().replace(/../g, hex => String.fromCharCode(Number.parseInt(hex, 16)));
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

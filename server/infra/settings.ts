import { isIP } from 'node:net';

/** A kind of setting: how its text is parsed, and the words for what is allowed. */
export interface Kind<T> {
  mustBe: string;
  parse(text: string): T | undefined;
  /** What a message may show of an invalid value; the whole text unless it can contain a secret. */
  shown?(text: string): string;
}

export const port: Kind<number> = {
  mustBe: 'a whole number from 0 to 65535 (0: any free port)',
  parse: text => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined),
};

export const portOrOff: Kind<number | 'off'> = {
  mustBe: `${port.mustBe} or off`,
  parse: text => (text === 'off' ? 'off' : port.parse(text)),
};

export const host: Kind<string> = {
  mustBe: 'an address or host name to listen on, such as 127.0.0.1, ::1 or 0.0.0.0',
  parse: text => (isIP(text) || /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i.test(text) ? text : undefined),
};

export const onOff: Kind<boolean> = {
  mustBe: 'on or off',
  parse: text => (text === 'on' ? true : text === 'off' ? false : undefined),
};

/** Text without blanks. */
export const word: Kind<string | undefined> = {
  mustBe: 'text without spaces',
  parse: text => (/^\S+$/.test(text) ? text : undefined),
};

/** Long enough that it cannot be guessed. */
export const token: Kind<string | undefined> = {
  mustBe: 'at least 16 characters without spaces',
  parse: text => (/^\S{16,}$/.test(text) ? text : undefined),
  shown: hidden,
};

export const secretWord: Kind<string | undefined> = { ...word, shown: hidden };

/** An address with one of the schemes. Kept as written, because drivers read more from it than `URL` does. */
export function url(...schemes: string[]): Kind<string | undefined> {
  return {
    mustBe: `an address that starts with ${schemes.map(scheme => `${scheme}://`).join(' or ')}`,
    parse: text => (isUrl(text, schemes) ? text : undefined),
    shown: withoutPassword,
  };
}

/** One or more addresses, separated by commas. */
export function urls(...schemes: string[]): Kind<string | undefined> {
  const single = url(...schemes);
  return {
    ...single,
    mustBe: `${single.mustBe}, or several separated by commas`,
    parse: text => (text.split(',').every(part => isUrl(part.trim(), schemes)) ? text : undefined),
  };
}

export const origin: Kind<string | undefined> = {
  mustBe: 'an address such as https://mooring.example.com, without a path',
  parse: text => {
    if (!isUrl(text, ['http', 'https']) || !URL.canParse(text)) return undefined;
    const { username, password, pathname, search, hash, origin } = new URL(text);
    return username || password || search || hash || pathname !== '/' ? undefined : origin;
  },
  shown: withoutPassword,
};

/** `a@b.example` or `Name <a@b.example>`. Control characters would allow header injection. */
export const sender: Kind<string> = {
  mustBe: 'an e-mail address, such as mooring@example.com or Mooring <mooring@example.com>',
  parse: text =>
    /^([^<>\p{Cc}]* <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(text) ? text : undefined,
};

export const key256: Kind<Buffer | undefined> = {
  mustBe: '32 bytes, as 64 hexadecimal digits or in base64',
  parse: text => {
    if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
    return /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : undefined;
  },
  shown: hidden,
};

export function oneOf<T extends string>(values: readonly T[]): Kind<T> {
  return {
    mustBe: `one of ${values.join(', ')}`,
    parse: text => values.find(value => value === text),
  };
}

export function listOf<T extends string>(values: readonly T[]): Kind<readonly T[]> {
  return {
    mustBe: `one or more of ${values.join(', ')}, separated by commas`,
    parse: text => {
      const parts = text.split(',').map(part => part.trim());
      const known = values.filter(value => parts.includes(value));
      return parts.every(part => known.some(value => value === part)) ? known : undefined;
    },
  };
}

/** The proxies whose `X-Forwarded-*` headers are trusted. */
export const proxies: Kind<boolean | number | string[]> = {
  mustBe: 'on, off, the number of proxies in front, or their addresses (10.0.0.0/8) separated by commas',
  parse: text => {
    const flag = onOff.parse(text);
    if (flag !== undefined) return flag;
    if (/^[1-9]\d?$/.test(text)) return Number(text);
    const parts = text.split(',').map(part => part.trim());
    return parts.every(isNetwork) ? parts : undefined;
  },
};

/** Non-public hosts and networks that developers' URLs may lead to. */
export const privateTargets: Kind<readonly string[]> = {
  mustBe: 'host names, addresses or networks (login.intra.example, 10.1.2.3, 10.0.0.0/8) separated by commas',
  parse: text => {
    const parts = text.split(',').map(part => part.trim().toLowerCase());
    return parts.every(part => isNetwork(part) || isHostName(part)) ? parts : undefined;
  },
};

/** If the last part of a name is a number, some parsers read it as an address and others do not. */
function isHostName(text: string): boolean {
  return /^([a-z0-9]([a-z0-9_-]*[a-z0-9])?\.)*[a-z]([a-z0-9-]*[a-z0-9])?$/.test(text) && text.length <= 253;
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const bitsMax = isIP(address) === 6 ? 128 : 32;
  return (
    isIP(address) !== 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax))
  );
}

function isUrl(text: string, schemes: readonly string[]): boolean {
  const [scheme = '', rest] = text.split('://', 2);
  return schemes.includes(scheme) && Boolean(rest) && !/\s/.test(text);
}

function withoutPassword(text: string): string {
  return `"${text.replace(/\/\/[^/]*@/, '//…@')}"`;
}

function hidden(text: string): string {
  return `${text.length} characters long (not shown)`;
}

import { parseArgs } from 'node:util';
import { chosenIdPattern, idMax } from '#rules/chosenId.ts';
import { dayS, hourS } from '#rules/time/durations.ts';
import type { UpdateOptions } from './fleetUpdates.ts';
import { type Download, downloads } from './memberUpdate.ts';
import { type ScenarioName, scenarios } from './scenarios.ts';

export interface Options {
  url: string;
  scenario: ScenarioName;
  devices: number;
  seconds: number;
  /** The interval in which each device sends, in seconds. */
  everyS: number;
  /** The time within which all devices must be connected, in seconds. */
  withinS: number;
  /** How many devices start to connect per second. */
  ramp: number;
  email?: string;
  password?: string;
  /** The two-factor authentication code. */
  code?: string;
  project?: string;
  deviceClass: string;
  /** An export of the console with keys, instead of devices that are looked up and created. */
  file?: string;
  updates: UpdateOptions;
  /** True: prints the result as JSON. */
  json: boolean;
}

/** The arguments are not valid. */
export class UsageFault extends Error {}

const numbers = {
  devices: { initial: 100, min: 1, max: 50_000 },
  seconds: { initial: 30, min: 1, max: 7 * dayS },
  every: { initial: 10, min: 0.2, max: dayS },
  within: { initial: 60, min: 1, max: hourS },
  ramp: { initial: 500, min: 1, max: 10_000 },
  'fail-percent': { initial: 0, min: 0, max: 100 },
  'offline-percent': { initial: 0, min: 0, max: 100 },
  updates: { initial: 1, min: 1, max: 100 },
} as const;

const whole: ReadonlySet<string> = new Set<keyof typeof numbers>(['devices', 'ramp', 'updates']);

export const usage = `Usage: npm run simulate -- --email you@example.com --project <id or name> [options]

  --url <url>             address of Mooring; default http://127.0.0.1:8080
  --email, --password     account that creates and checks the devices; the password can be in SIMULATE_PASSWORD
  --code <digits>         two-factor code, if the account needs one
  --project <id or name>  optional if you have exactly one project besides the sample
  --class <id>            device class, created if missing; default simulated
  --file <devices.json>   a console export with keys, instead of --email; results are then not read back
  --devices <n>           number of devices, sim-0001, sim-0002, …, created if missing; default 100
  --scenario <name>       what the devices do; default steady
  --seconds <n>           how long to run once all devices are connected; default 30
  --every <n>             seconds between the messages of a device; default 10
  --within <n>            seconds in which all devices must connect; default 60
  --ramp <n>              new connections per second; default 500
  --json                  print the results as JSON

For the scenario update:
  --fail-percent <n>      share of devices whose update fails; default 0
  --fail-code <code>      how they fail, as in docs/firmware.md; default boot_failed
  --offline-percent <n>   share of devices that are away for the first half; default 0
  --updates <n>           how many updates each device waits for, one after the other; default 1
  --download <how much>   whole files, only the first KiB, or none: ${downloads.join(', ')}; default whole

Scenarios:
${Object.entries(scenarios)
  .map(([name, { summary }]) => `  ${name.padEnd(22)}  ${summary}`)
  .join('\n')}`;

export function readOptions(args: readonly string[], env: Record<string, string | undefined>): Options {
  const text = { type: 'string' } as const;
  const { values } = parse(args, {
    url: text,
    email: text,
    password: text,
    code: text,
    project: text,
    class: text,
    file: text,
    devices: text,
    scenario: text,
    seconds: text,
    every: text,
    within: text,
    ramp: text,
    'fail-percent': text,
    'fail-code': text,
    'offline-percent': text,
    download: text,
    updates: text,
    json: { type: 'boolean' },
  });
  const { url = 'http://127.0.0.1:8080', scenario = 'steady', email, file, code, project } = values;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new UsageFault(`--url must be an address such as http://127.0.0.1:8080, not "${url}".`);
  if (!isScenario(scenario)) throw new UsageFault(`The scenario "${scenario}" does not exist.`);
  if (!email && !file) throw new UsageFault('Pass --email to sign in, or --file with devices and keys.');
  const password = values.password ?? env.SIMULATE_PASSWORD;
  if (email && !password) throw new UsageFault('Pass the password as --password or in SIMULATE_PASSWORD.');
  return {
    url: url.replace(/\/+$/, ''),
    scenario,
    devices: numberOf('devices', values.devices),
    seconds: numberOf('seconds', values.seconds),
    everyS: numberOf('every', values.every),
    withinS: numberOf('within', values.within),
    ramp: numberOf('ramp', values.ramp),
    deviceClass: classOf(values.class),
    updates: {
      failPercent: numberOf('fail-percent', values['fail-percent']),
      failCode: codeOf(values['fail-code']),
      offlinePercent: numberOf('offline-percent', values['offline-percent']),
      download: downloadOf(values.download),
      count: numberOf('updates', values.updates),
    },
    json: values.json ?? false,
    ...(email && password && { email, password }),
    ...(code && { code }),
    ...(project && { project }),
    ...(file && { file }),
  };
}

function parse<T extends Record<string, { type: 'string' | 'boolean' }>>(
  args: readonly string[],
  options: T,
) {
  try {
    return parseArgs({ args: [...args], options, strict: true });
  } catch (error) {
    throw new UsageFault(error instanceof Error ? error.message : String(error));
  }
}

function classOf(id = 'simulated'): string {
  if (chosenIdPattern.test(id) && id.length <= idMax) return id;
  throw new UsageFault(
    `--class must be letters and digits, with hyphens and underscores in between, not "${id}".`,
  );
}

function codeOf(code = 'boot_failed'): string {
  if (/^[a-z0-9_]{1,64}$/.test(code)) return code;
  throw new UsageFault(`--fail-code must be a code such as boot_failed, not "${code}".`);
}

function downloadOf(text = 'whole'): Download {
  const found = downloads.find(one => one === text);
  if (found) return found;
  throw new UsageFault(`--download must be one of ${downloads.join(', ')}, not "${text}".`);
}

function isScenario(name: string): name is ScenarioName {
  return Object.hasOwn(scenarios, name);
}

function numberOf(name: keyof typeof numbers, text: string | undefined): number {
  const { initial, min, max } = numbers[name];
  const value = text === undefined ? initial : Number(text);
  const isWhole = whole.has(name);
  if (!(value >= min && value <= max) || (isWhole && !Number.isInteger(value)))
    throw new UsageFault(
      `--${name} must be a ${isWhole ? 'whole number' : 'number'} from ${min} to ${max}, not "${text}".`,
    );
  return value;
}

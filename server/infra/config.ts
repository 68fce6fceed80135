import { resolve } from 'node:path';
import * as parse from './settings.ts';
import { StartFault } from './startFault.ts';

export const roles = ['api', 'gateway', 'worker'] as const;
export type Role = (typeof roles)[number];

/** Each writes what those before it write, and more. */
export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** A bucket of an S3 store. */
export interface S3Config {
  /** Address of the bucket itself, in path style: `https://s3.example.com/bucket`. */
  url: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** All settings from the environment, validated. `undefined`: the built-in counterpart is used. */
export interface Config {
  /** 0 picks a free port. */
  port: number;
  host: string;
  /** 0 picks a free port, `off` opens none. */
  mqttPort: number | 'off';
  /** If set, devices connect over TLS. */
  mqttTls: { certFile: string; keyFile: string } | undefined;
  /** Absolute. */
  dataDir: string;
  /** Origin under which browsers reach the platform, without a trailing slash. */
  publicUrl: string | undefined;
  databaseUrl: string | undefined;
  natsUrl: string | undefined;
  s3: S3Config | undefined;
  smtpUrl: string | undefined;
  mailFrom: string;
  /** 32 bytes. */
  masterKey: Buffer | undefined;
  roles: readonly Role[];
  logLevel: LogLevel;
  /** In the form Fastify takes: all, none, a number of hops, or the proxies' addresses. */
  trustProxy: boolean | number | string[];
  rateLimits: boolean;
  /** Whether a new developer gets a sample project. */
  sampleProject: boolean;
  /** Allows its bearer to read the metrics from another machine. */
  metricsToken: string | undefined;
  /** Host names, addresses and networks that developers' URLs may lead to although they are not public. */
  allowPrivateTargets: readonly string[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Some settings are not valid; `faults` has one sentence for each. */
export class ConfigFault extends StartFault {
  override name = 'ConfigFault';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/** Reads all settings at once, so that an operator sees every error at the first start. */
export function readConfig(env: Environment): Config {
  const faults: string[] = [];
  const read = reader(env, faults);
  const publicUrl = read('PUBLIC_URL', parse.origin, undefined);
  const config: Config = {
    port: read('PORT', parse.port, 8080),
    host: read('HOST', parse.host, '127.0.0.1'),
    mqttPort: read('MQTT_PORT', parse.portOrOff, 1883),
    mqttTls: readMqttTls(env, faults),
    dataDir: resolve(env.DATA_DIR?.trim() || 'data'),
    publicUrl,
    databaseUrl: read('DATABASE_URL', parse.url('postgres', 'postgresql'), undefined),
    natsUrl: read('NATS_URL', parse.urls('nats', 'tls'), undefined),
    s3: readS3(env, faults),
    smtpUrl: read('SMTP_URL', parse.url('smtp', 'smtps'), undefined),
    mailFrom: read('MAIL_FROM', parse.sender, `Mooring <mooring@${hostOf(publicUrl)}>`),
    masterKey: read('MASTER_KEY', parse.key256, undefined),
    roles: read('ROLES', parse.listOf(roles), roles),
    logLevel: read('LOG_LEVEL', parse.oneOf(logLevels), 'info'),
    trustProxy: read('TRUST_PROXY', parse.proxies, false),
    metricsToken: read('METRICS_TOKEN', parse.token, undefined),
    rateLimits: read('RATE_LIMITS', parse.onOff, true),
    sampleProject: read('SAMPLE_PROJECT', parse.onOff, true),
    allowPrivateTargets: read('ALLOW_PRIVATE_TARGETS', parse.privateTargets, []),
  };
  if (config.port !== 0 && config.port === config.mqttPort)
    faults.push(`PORT and MQTT_PORT are both ${config.port}, but must be different.`);
  if (faults.length > 0) throw new ConfigFault(faults);
  return config;
}

/** Reads one variable. Unset or empty gives the fallback; a value that cannot be parsed is added to the faults. */
function reader(env: Environment, faults: string[]) {
  return <T>(name: string, kind: parse.Kind<T>, fallback: T): T => {
    const text = env[name]?.trim();
    if (!text) return fallback;
    const value = kind.parse(text);
    if (value !== undefined) return value;
    faults.push(`${name} is ${kind.shown?.(text) ?? `"${text}"`}, but must be ${kind.mustBe}.`);
    return fallback;
  };
}

function readS3(env: Environment, faults: string[]): S3Config | undefined {
  const read = reader(env, faults);
  const url = read('S3_URL', parse.url('http', 'https'), undefined);
  const region = read('S3_REGION', parse.word, undefined);
  const accessKeyId = read('S3_ACCESS_KEY_ID', parse.word, undefined);
  const secretAccessKey = read('S3_SECRET_ACCESS_KEY', parse.secretWord, undefined);
  if (!env.S3_URL) {
    const alone = ['S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'].filter(name => env[name]);
    if (alone.length > 0)
      faults.push(`${alone.join(', ')} is set, but S3_URL is not, so no S3 storage would be used.`);
    return undefined;
  }
  if (!env.S3_ACCESS_KEY_ID || !env.S3_SECRET_ACCESS_KEY)
    faults.push('S3_URL is set, but S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are not both set.');
  if (!url || !accessKeyId || !secretAccessKey) return undefined;
  return { url, region: region ?? 'us-east-1', accessKeyId, secretAccessKey };
}

function readMqttTls(env: Environment, faults: string[]): Config['mqttTls'] {
  const certFile = env.MQTT_TLS_CERT?.trim();
  const keyFile = env.MQTT_TLS_KEY?.trim();
  if (certFile && keyFile) return { certFile: resolve(certFile), keyFile: resolve(keyFile) };
  if (certFile || keyFile)
    faults.push('Only one of MQTT_TLS_CERT and MQTT_TLS_KEY is set, but TLS needs both files.');
  return undefined;
}

function hostOf(publicUrl: string | undefined): string {
  return publicUrl ? new URL(publicUrl).hostname : 'localhost';
}

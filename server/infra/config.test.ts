import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigFault, type Environment, readConfig } from './config.ts';

describe('the environment', () => {
  test('may be empty', () => {
    expect(readConfig({})).toEqual({
      port: 8080,
      host: '127.0.0.1',
      mqttPort: 1883,
      dataDir: resolve('data'),
      publicUrl: undefined,
      databaseUrl: undefined,
      natsUrl: undefined,
      s3: undefined,
      smtpUrl: undefined,
      mailFrom: 'Mooring <mooring@localhost>',
      masterKey: undefined,
      roles: ['api', 'gateway', 'worker'],
      logLevel: 'info',
      trustProxy: false,
      rateLimits: true,
      sampleProject: true,
      allowPrivateTargets: [],
    });
  });

  test('counts an empty variable as unset', () => {
    expect(readConfig({ PORT: '', HOST: ' ', DATA_DIR: '', MASTER_KEY: '' })).toEqual(readConfig({}));
  });

  const hex = 'ab'.repeat(32);
  const understood: [Environment, object][] = [
    [{ PORT: '0' }, { port: 0 }],
    [{ PORT: '65535' }, { port: 65_535 }],
    [{ HOST: '::1' }, { host: '::1' }],
    [{ HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
    [{ HOST: 'localhost' }, { host: 'localhost' }],
    [{ MQTT_PORT: 'off' }, { mqttPort: 'off' }],
    [{ MQTT_PORT: '0' }, { mqttPort: 0 }],
    [
      { PORT: '0', MQTT_PORT: '0' },
      { port: 0, mqttPort: 0 },
    ],
    [{ DATA_DIR: '/srv/mooring' }, { dataDir: '/srv/mooring' }],
    [
      { PUBLIC_URL: 'https://iot.example.com/' },
      { publicUrl: 'https://iot.example.com', mailFrom: 'Mooring <mooring@iot.example.com>' },
    ],
    [{ DATABASE_URL: 'postgres://a:b@h/d' }, { databaseUrl: 'postgres://a:b@h/d' }],
    [{ DATABASE_URL: 'postgresql:///d?host=/run/pg' }, { databaseUrl: 'postgresql:///d?host=/run/pg' }],
    [{ NATS_URL: 'nats://a:4222,nats://b:4222' }, { natsUrl: 'nats://a:4222,nats://b:4222' }],
    [{ SMTP_URL: 'smtps://u:p@mail:465' }, { smtpUrl: 'smtps://u:p@mail:465' }],
    [{ MAIL_FROM: 'Ops <ops@example.com>' }, { mailFrom: 'Ops <ops@example.com>' }],
    [{ MASTER_KEY: hex }, { masterKey: Buffer.from(hex, 'hex') }],
    [{ MASTER_KEY: Buffer.from(hex, 'hex').toString('base64') }, { masterKey: Buffer.from(hex, 'hex') }],
    [{ ROLES: 'worker, api' }, { roles: ['api', 'worker'] }],
    [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
    [{ METRICS_TOKEN: 'm'.repeat(16) }, { metricsToken: 'm'.repeat(16) }],
    [{ TRUST_PROXY: 'on' }, { trustProxy: true }],
    [{ TRUST_PROXY: '2' }, { trustProxy: 2 }],
    [{ TRUST_PROXY: '10.0.0.0/8, ::1' }, { trustProxy: ['10.0.0.0/8', '::1'] }],
    [{ RATE_LIMITS: 'off' }, { rateLimits: false }],
    [{ SAMPLE_PROJECT: 'off' }, { sampleProject: false }],
    [
      { ALLOW_PRIVATE_TARGETS: 'Login.intra, localhost, 10.1.2.3, fd00::/8' },
      { allowPrivateTargets: ['login.intra', 'localhost', '10.1.2.3', 'fd00::/8'] },
    ],
    [
      { S3_URL: 'https://s3.example.com/files', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'key' },
      {
        s3: {
          url: 'https://s3.example.com/files',
          region: 'us-east-1',
          accessKeyId: 'id',
          secretAccessKey: 'key',
        },
      },
    ],
  ];
  test.for(understood)('is understood: %o', ([env, expected]) => {
    expect(readConfig(env)).toMatchObject(expected);
  });

  const refused: [Environment, string][] = [
    [{ PORT: '80a' }, 'PORT is "80a", but must be a whole number from 0 to 65535 (0: any free port).'],
    [{ PORT: '65536' }, 'PORT is "65536"'],
    [{ PORT: '-1' }, 'PORT is "-1"'],
    [{ PORT: '1e3' }, 'PORT is "1e3"'],
    [{ HOST: 'http://x' }, 'HOST is "http://x"'],
    [
      { MQTT_PORT: 'none' },
      'MQTT_PORT is "none", but must be a whole number from 0 to 65535 (0: any free port) or off.',
    ],
    [{ PORT: '1883' }, 'PORT and MQTT_PORT are both 1883'],
    [{ PUBLIC_URL: 'iot.example.com' }, 'PUBLIC_URL is "iot.example.com"'],
    [{ PUBLIC_URL: 'https://example.com/iot' }, 'without a path'],
    [{ PUBLIC_URL: 'http://:80' }, 'PUBLIC_URL is'],
    [{ DATABASE_URL: 'mysql://a@h/d' }, 'an address that starts with postgres:// or postgresql://'],
    [{ NATS_URL: 'nats://a,http://b' }, 'NATS_URL is'],
    [{ SMTP_URL: 'mail.example.com:25' }, 'SMTP_URL is "mail.example.com:25"'],
    [{ MAIL_FROM: 'ops' }, 'MAIL_FROM is "ops"'],
    [{ MAIL_FROM: 'Ops\r\nBcc: x <ops@example.com>' }, 'MAIL_FROM is'],
    [{ ROLES: 'api,apis' }, 'one or more of api, gateway, worker'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is "loud", but must be one of silent, error, warn'],
    [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN is 5 characters long (not shown), but must be at least 16'],
    [{ TRUST_PROXY: 'maybe' }, 'TRUST_PROXY is "maybe"'],
    [{ TRUST_PROXY: '10.0.0.0/33' }, 'TRUST_PROXY is'],
    [{ RATE_LIMITS: 'yes' }, 'RATE_LIMITS is "yes", but must be on or off.'],
    [
      { ALLOW_PRIVATE_TARGETS: '127.1' },
      'ALLOW_PRIVATE_TARGETS is "127.1", but must be host names, addresses',
    ],
    [{ ALLOW_PRIVATE_TARGETS: '10.0.0.0/33' }, 'ALLOW_PRIVATE_TARGETS is'],
    [{ ALLOW_PRIVATE_TARGETS: 'http://intra' }, 'ALLOW_PRIVATE_TARGETS is'],
    [{ ALLOW_PRIVATE_TARGETS: 'a,,b' }, 'ALLOW_PRIVATE_TARGETS is'],
    [{ S3_REGION: 'eu' }, 'S3_REGION is set, but S3_URL is not'],
    [{ S3_URL: 'https://s3/files' }, 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are not both set'],
  ];
  test.for(refused)('is refused: %o', ([env, sentence]) => {
    expect(() => readConfig(env)).toThrow(sentence);
  });

  test('lists all its errors at once', () => {
    const fault = faultOf({ PORT: 'x', LOG_LEVEL: 'y', RATE_LIMITS: 'z' });
    expect(fault.faults.map(sentence => sentence.split(' ')[0])).toEqual([
      'PORT',
      'LOG_LEVEL',
      'RATE_LIMITS',
    ]);
    expect(fault.message.split('\n')).toHaveLength(3);
  });

  test('keeps passwords and keys out of its messages', () => {
    const { message } = faultOf({
      DATABASE_URL: 'mysql://a:hunter2@h/d',
      MASTER_KEY: 'hunter2',
      S3_SECRET_ACCESS_KEY: 'hun ter2',
    });
    expect(message).toContain('MASTER_KEY is 7 characters long (not shown)');
    expect(message).toContain('//…@h/d');
    expect(message).not.toContain('hunter2');
    expect(message).not.toContain('hun ter2');
  });
});

function faultOf(env: Environment): ConfigFault {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigFault) return error;
  }
  throw new Error('the environment was accepted');
}

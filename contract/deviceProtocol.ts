import { z } from 'zod';
import { entitiesMax } from '#rules/devices/gatewayLimits.ts';
import {
  Alert,
  CommandFrame,
  EntityFrame,
  InstalledFrame,
  LogLineFrame,
  LogRequestFrame,
  LogRequestStatusFrame,
  ProgressFrame,
  RejectedFrame,
  ResultFrame,
  TargetFrame,
} from './deviceFrames.ts';
import { type TopicName, topicPatterns } from './deviceWire.ts';
import { jsonObject, jsonValue } from './shapes.ts';

export * from './deviceFrames.ts';
export * from './deviceWire.ts';

/**
 * The topics a device can publish and subscribe to, as data. The gateway, the SDK and the reference are derived
 * from it.
 */
export interface Topic {
  /** Under `d/{deviceId}/`; `:name` stands for one level. */
  pattern: string;
  way: 'up' | 'down';
  /** Down: the current value is sent right after the subscription. */
  retained?: true;
  /** Up: accepted at QoS 0 only. */
  lossy?: true;
  /** The HTTP equivalent, under `/device/v1/`. */
  http?: `${'GET' | 'POST'} ${string}`;
  summary: string;
  payload: z.ZodType;
  example: unknown;
  /** Another form that the message can have. */
  otherwise?: { title: string; example: unknown };
}

const at = '2026-11-20T08:30:00.000Z';

export const topics = {
  state: {
    pattern: topicPatterns.state,
    way: 'up',
    http: 'POST state',
    summary: 'What changed in the reported state, as a JSON merge patch: null removes a member.',
    payload: jsonObject,
    example: { temperature: 21.5, fan: { on: true } },
  },
  stateRejected: {
    pattern: topicPatterns.stateRejected,
    way: 'down',
    summary: 'A state report was rejected, with the reason.',
    payload: RejectedFrame,
    example: {
      topic: 'state',
      reason: 'SCHEMA_BROKEN',
      message: 'The state violates the schema of the device class.',
      faults: [{ at: '/temperature', text: 'temperature must be a number.' }],
    },
  },
  rejected: {
    pattern: topicPatterns.rejected,
    way: 'down',
    summary: 'Another message was rejected, with the reason.',
    payload: RejectedFrame,
    example: { topic: 'events/door', reason: 'MALFORMED', message: 'The payload is not valid JSON.' },
  },
  desired: {
    pattern: topicPatterns.desired,
    way: 'down',
    retained: true,
    http: 'GET desired',
    summary: 'The desired state of the device.',
    payload: z.object({ version: z.number().int(), desired: jsonObject }),
    example: { version: 3, desired: { fan: { on: false } } },
  },
  delta: {
    pattern: topicPatterns.delta,
    way: 'down',
    retained: true,
    summary: 'The part of the desired state that is not reported yet; an empty object if there is none.',
    payload: z.object({ version: z.number().int(), delta: jsonObject }),
    example: { version: 3, delta: { fan: { on: false } } },
  },
  event: {
    pattern: topicPatterns.event,
    way: 'up',
    http: 'POST events/:name',
    summary:
      'An event. At QoS 1, it is acknowledged when it has been stored. A member `_alert` raises an alert, with a severity of `info`, `warning` or `critical`; with `resolved: true` it resolves it.',
    payload: z.union([z.looseObject({ _alert: Alert.optional() }), jsonValue]),
    example: { open: true, _alert: { severity: 'warning', text: 'The door is open.' } },
    otherwise: { title: 'When it is over', example: { open: false, _alert: { resolved: true } } },
  },
  command: {
    pattern: topicPatterns.command,
    way: 'down',
    http: 'GET commands',
    summary:
      'A command to execute. Each has an id; if one arrives twice, repeat the result but do not execute it again.',
    payload: CommandFrame,
    example: { id: 'cmd_01k9x3m2h4e6d8b0a2c4e6g8j0', args: { seconds: 5 }, expiresAt: at },
  },
  result: {
    pattern: topicPatterns.result,
    way: 'up',
    http: 'POST results/:id',
    summary:
      'The result of a command: `ok` is true, with any `result`, or false, with a readable `error` of up to 2,000 characters.',
    payload: ResultFrame,
    example: { ok: true, result: { blinked: 5 } },
    otherwise: { title: 'If it failed', example: { ok: false, error: 'The lamp is unplugged.' } },
  },
  target: {
    pattern: topicPatterns.target,
    way: 'down',
    retained: true,
    http: 'GET target',
    summary:
      'The firmware the device should run, or null if none is assigned. Read it again before installing, and when a link answers 403: links are valid for 24 hours. Download with range requests: continue on 206, start over on 200. A component can have a `delta`, which makes its file from the one you report as installed: `zstd -d --patch-from=old delta -o new`. Verify the `sha256` of the result; if it does not match, or if you prefer, download the whole file from `url`. `consent` is the answer of the home: install now, or not before a given time.',
    payload: z.union([z.null(), TargetFrame]),
    example: null,
    otherwise: {
      title: 'If there is one',
      example: {
        sequence: 4,
        bundleId: 'bnd_01k9x3m2h4e6d8b0a2c4e6g8j0',
        deviceClass: 'thermostat',
        components: [
          {
            component: 'main',
            version: '1.3.0',
            size: 304_128,
            sha256: '9f4c02ab77e1c64d1d7b1c3f4a86c9d2e5b0f1a2c3d4e5f60718293a4b5c6d7e',
            url: 'https://mooring.example.com/files/…',
            securityVersion: 2,
            delta: {
              format: 'zstd-patch',
              from: '2b1e7a90c44f0d3b6f1a5c8e9d7b2a4c6e8f0a1b3c5d7e9f0b2d4f6a8c0e1d3f',
              url: 'https://mooring.example.com/files/…',
              size: 31_212,
              sha256: 'c0ffee02ab77e1c64d1d7b1c3f4a86c9d2e5b0f1a2c3d4e5f60718293a4b5c6d',
            },
          },
        ],
      },
    },
  },
  installed: {
    pattern: topicPatterns.installed,
    way: 'up',
    http: 'POST installed',
    summary:
      'The firmware that is installed. Report it at each start, and when a new version has been confirmed: only this completes an update.',
    payload: InstalledFrame,
    example: {
      bundleId: 'bnd_01k9x3m2h4e6d8b0a2c4e6g8j0',
      sequence: 4,
      components: [
        {
          component: 'main',
          version: '1.3.0',
          sha256: '9f4c02ab77e1c64d1d7b1c3f4a86c9d2e5b0f1a2c3d4e5f60718293a4b5c6d7e',
        },
      ],
    },
  },
  progress: {
    pattern: topicPatterns.progress,
    way: 'up',
    http: 'POST progress',
    summary:
      'The progress towards a target: `accepted`, `downloading`, `verifying`, `ready` (waits for consent, a window or the battery), `installing`, `rebooting`, `confirming`, `done`, or `failed` with a code, `declined`, `postponed` until a time.',
    payload: ProgressFrame,
    example: { state: 'downloading', sequence: 4, percent: 40, component: 'main' },
    otherwise: {
      title: 'If it failed',
      example: {
        state: 'failed',
        sequence: 4,
        code: 'self_test_failed',
        error: 'The radio does not answer.',
      },
    },
  },
  config: {
    pattern: topicPatterns.config,
    way: 'down',
    retained: true,
    http: 'GET config',
    summary: 'The key-value pairs of the class, overridden by those of the device.',
    payload: jsonObject,
    example: { 'report-every-s': 60 },
  },
  entities: {
    pattern: topicPatterns.entities,
    way: 'up',
    http: 'POST entities',
    summary: 'All addressable parts of the device, 200 at most. Replaces the previous list.',
    payload: z.array(EntityFrame).max(entitiesMax),
    example: [{ name: 'lamp-1', class: 'lamp', state: { on: true } }],
  },
  logRequest: {
    pattern: topicPatterns.logRequest,
    way: 'down',
    summary:
      'A request for the device’s own log: PUT it to `uploadUrl` as gzipped JSON lines. Sent again on each connection until it is answered.',
    payload: LogRequestFrame,
    example: {
      id: 'lrq_01k9x3m2h4e6d8b0a2c4e6g8j0',
      start: '2026-11-19T00:00:00.000Z',
      end: '2026-11-20T00:00:00.000Z',
      prefixes: ['wifi'],
      uploadUrl: 'https://mooring.example.com/files/…',
      expiresAt: at,
    },
  },
  logRequestStatus: {
    pattern: topicPatterns.logRequestStatus,
    way: 'up',
    http: 'POST logRequests/:id/status',
    summary:
      'The status of a log request. Success is detected from the upload itself and need not be reported.',
    payload: LogRequestStatusFrame,
    example: { status: 'nologs' },
  },
  log: {
    pattern: topicPatterns.log,
    way: 'up',
    lossy: true,
    summary: 'A line of the live log. Send it only while someone is watching; it is not stored.',
    payload: LogLineFrame,
    example: { level: 2, text: 'wifi: connected' },
  },
  logWanted: {
    pattern: topicPatterns.logWanted,
    way: 'down',
    retained: true,
    summary: 'Whether someone is watching the live log.',
    payload: z.object({ wanted: z.boolean() }),
    example: { wanted: true },
  },
} as const satisfies Record<TopicName, Topic>;

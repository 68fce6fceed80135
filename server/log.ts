import type { LogLevel } from './config.ts';

/** Logs what an operator should know. */
export type Log = (
  level: 'error' | 'warn' | 'info',
  message: string,
  detail?: Record<string, unknown>,
) => void;

const order: LogLevel[] = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'];

/** Logs one line each to stderr: time, level, sentence, details as JSON. Never contains a secret or a request body. */
export function createLog(level: LogLevel): Log {
  return (at, message, detail) => {
    if (order.indexOf(at) > order.indexOf(level)) return;
    const more = detail ? ` ${JSON.stringify(detail)}` : '';
    process.stderr.write(`${new Date().toISOString()} ${at} ${message}${more}\n`);
  };
}

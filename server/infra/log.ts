import { type LogLevel, logLevels } from './config.ts';

/** Logs what an operator should know. */
export type Log = (
  level: 'error' | 'warn' | 'info' | 'debug',
  message: string,
  detail?: Record<string, unknown>,
) => void;

/** Logs one line each to stderr: time, level, sentence, details as JSON. Never contains a secret or a request body. */
export function createLog(level: LogLevel): Log {
  return (at, message, detail) => {
    if (logLevels.indexOf(at) > logLevels.indexOf(level)) return;
    const more = detail ? ` ${JSON.stringify(detail)}` : '';
    process.stderr.write(`${new Date().toISOString()} ${at} ${message}${more}\n`);
  };
}

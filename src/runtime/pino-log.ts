import pino, { type DestinationStream } from 'pino'
import type { Log } from './log.ts'

/**
 * JSON lines through pino, to standard output unless `destination` is given: `time`, `level`, `event`, then the fields.
 * Written at once, so that a killed process has logged what it did.
 */
export function createLog(
  level: 'debug' | 'info' | 'warn' | 'error' | 'silent',
  destination: DestinationStream = pino.destination({ dest: 1, sync: true }),
): Log {
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'event',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: pino.stdSerializers.err },
      redact: {
        paths: ['secret', 'token', 'authorization', '*.secret', '*.token', '*.authorization'],
        censor: '****',
      },
    },
    destination,
  )
  return {
    debug: (event, fields) => logger.debug(fields ?? {}, event),
    info: (event, fields) => logger.info(fields ?? {}, event),
    warn: (event, fields) => logger.warn(fields ?? {}, event),
    error: (event, fields) => logger.error(fields ?? {}, event),
  }
}

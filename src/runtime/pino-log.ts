import pino, { type DestinationStream } from 'pino'
import { createLineWriter, type LineWriter } from './line-writer.ts'
import type { Log } from './log.ts'

/**
 * Writes JSON lines through pino: `time`, `level`, `event`, then the fields. Writes to `destination`, or to standard
 * output at the end of each turn of the event loop, and at once for errors.
 */
export function createLog(
  level: 'debug' | 'info' | 'warn' | 'error' | 'silent',
  destination?: DestinationStream,
): Log {
  const output = destination === undefined ? standardOutput() : null
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'event',
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { error: pino.stdSerializers.err },
      formatters: { level: (label) => ({ level: label }), log: (fields) => masked(fields, 1) },
    },
    output ?? destination,
  )
  return {
    debug: (event, fields) => logger.debug(fields ?? {}, event),
    info: (event, fields) => logger.info(fields ?? {}, event),
    warn: (event, fields) => logger.warn(fields ?? {}, event),
    error: (event, fields) => {
      logger.error(fields ?? {}, event)
      output?.flush()
    },
  }
}

function standardOutput(): LineWriter {
  const output = createLineWriter(pino.destination({ dest: 1, sync: true }))
  process.once('exit', output.flush)
  return output
}

const SECRETS: readonly string[] = ['secret', 'token', 'authorization']
const MASK = '****'

/**
 * `fields` with masked secrets, up to `levels` deep; the same object without secrets. pino's own `redact` copies every
 * line first: 7.4 µs per line instead of 2.8 µs.
 */
function masked(fields: Record<string, unknown>, levels: number): Record<string, unknown> {
  let result = fields
  for (const name in fields) {
    const value = fields[name]
    const shown = SECRETS.includes(name)
      ? MASK
      : levels > 0 && isRecord(value)
        ? masked(value, levels - 1)
        : value
    if (shown === value) continue
    if (result === fields) result = { ...fields }
    result[name] = shown
  }
  return result
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Error)
}

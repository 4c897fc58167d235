import { MoveRefused } from '../storage/move/move-refused.ts'
import { SchemaRefused, StorageUnavailable } from '../storage/port/errors.ts'
import { ConfigRefused } from './config/config.ts'
import { StartRefused } from './start-refused.ts'

/** Whether an error's message is a sentence for the operator rather than the trace of a bug. */
export function isRefusal(error: unknown): error is Error {
  return (
    error instanceof ConfigRefused ||
    error instanceof StartRefused ||
    error instanceof SchemaRefused ||
    error instanceof MoveRefused ||
    error instanceof StorageUnavailable
  )
}

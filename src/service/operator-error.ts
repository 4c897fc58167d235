import { OperationError } from '../operations/error.ts'
import { MoveError } from '../storage/move/move-error.ts'
import { SchemaError, StorageUnavailable } from '../storage/port/errors.ts'
import { ConfigError } from './config/config.ts'
import { StartupError } from './startup-error.ts'

/** Whether an error's message is for the operator. Other errors are bugs. */
export function isOperatorError(error: unknown): error is Error {
  return (
    error instanceof ConfigError ||
    error instanceof OperationError ||
    error instanceof StartupError ||
    error instanceof SchemaError ||
    error instanceof MoveError ||
    error instanceof StorageUnavailable
  )
}

import { open } from 'node:fs/promises'
import { CommandFailed, type Io } from '../command.ts'
import { excerpt } from '../table.ts'

/** A new hook with its secret. */
export type NewSecret = { readonly external_ref: string; readonly id: string; readonly secret: string }

/** The output of secrets: a private file or the terminal. */
export type SecretOutput = AsyncDisposable & {
  /** Resolves after the secret was stored. Throws `CommandFailed`. */
  readonly write: (secret: NewSecret) => Promise<void>
}

/**
 * Appends one JSON object per line. Open it before creating hooks, so that no secret is lost. Throws `CommandFailed`.
 */
export async function secretFile(path: string): Promise<SecretOutput> {
  const failed = (cause: unknown) =>
    new CommandFailed(
      `The file ${path} of --secrets cannot be written (${cause instanceof Error ? cause.message : String(cause)}).`,
      { cause },
    )
  const file = await open(path, 'a', 0o600).catch((cause: unknown) => {
    throw failed(cause)
  })
  try {
    await file.chmod(0o600)
  } catch (cause) {
    await file.close()
    throw failed(cause)
  }
  return {
    write: async (secret) => {
      try {
        await file.appendFile(`${JSON.stringify(secret)}\n`)
        await file.sync()
      } catch (cause) {
        throw failed(cause)
      }
    },
    [Symbol.asyncDispose]: () => file.close(),
  }
}

/** Prints each secret once. */
export function printedSecrets(io: Pick<Io, 'out'>, asJson: boolean): SecretOutput {
  return {
    write: async (secret) =>
      io.out(
        asJson
          ? `${JSON.stringify(secret)}\n`
          : `Secret of hook ${excerpt(secret.external_ref, 80)} (shown once): ${secret.secret}\n`,
      ),
    [Symbol.asyncDispose]: async () => {},
  }
}

import { type FileHandle, open } from 'node:fs/promises'
import { CommandFailed } from './command.ts'

export type NewFile = AsyncDisposable & {
  /** Appends `text`. Throws `CommandFailed`, after which the file is incomplete. */
  readonly write: (text: string) => Promise<void>
}

/** A new file, readable only by its owner. Throws `CommandFailed`. `openFile` is for tests. */
export async function newFile(
  path: string,
  openFile: (path: string, flags: string, mode: number) => Promise<FileHandle> = open,
): Promise<NewFile> {
  const file = await openFile(path, 'wx', 0o600).catch((cause: unknown) => {
    throw new CommandFailed(
      `The file ${path} cannot be created (${messageOf(cause)}). Specify a new file in a writable folder.`,
      { cause },
    )
  })
  return {
    write: async (text) => {
      try {
        await file.appendFile(text)
      } catch (cause) {
        throw new CommandFailed(
          `The file ${path} could not be written completely (${messageOf(cause)}). Free some disk space, remove the file and try again.`,
          { cause },
        )
      }
    },
    [Symbol.asyncDispose]: () => file.close(),
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

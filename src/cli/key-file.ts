import { readFile, stat } from 'node:fs/promises'
import { type Arguments, CommandFailed } from './command.ts'

/** A service account's file has about 2,500. */
const KEY_BYTES_MAX = 20_000

/** The content of the file of `--key-file`, and the key id that `--key-id` or the name of Apple's file gives. */
export async function readKeyFile(
  args: Arguments,
  path: string,
): Promise<{ readonly key: string; readonly keyId: string | undefined }> {
  const unreadable = (cause: unknown) => {
    throw new CommandFailed(`The key file ${path} cannot be read; name a file that you may read.`, { cause })
  }
  const { size } = await stat(path).catch(unreadable)
  if (size > KEY_BYTES_MAX) {
    throw new CommandFailed(
      `${path} has ${size} bytes. Key files of the stores are much smaller: name the .p8 or JSON file.`,
    )
  }
  const key = await readFile(path, 'utf8').catch(unreadable)
  return { key, keyId: args.option('key-id') ?? /AuthKey_(\w{10})\.p8$/.exec(path)?.[1] }
}

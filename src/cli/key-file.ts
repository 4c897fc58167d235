import { readFile } from 'node:fs/promises'
import { type Arguments, CommandFailed } from './command.ts'

/** The content of the file of `--key-file`, and the key id that `--key-id` or the name of Apple's file gives. */
export async function readKeyFile(
  args: Arguments,
  path: string,
): Promise<{ readonly key: string; readonly keyId: string | undefined }> {
  const key = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new CommandFailed(`The key file ${path} cannot be read; name a file that you may read.`, { cause })
  })
  return { key, keyId: args.option('key-id') ?? /AuthKey_(\w{10})\.p8$/.exec(path)?.[1] }
}

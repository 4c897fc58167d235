import assert from 'node:assert/strict'
import { join } from 'node:path'
import { run } from '../../../test/clients/tools.ts'
import { type Installed, installIntegration } from './platform.ts'

/** The package, compiled. */
export type N8nPackage = Installed & {
  /** Runs a program and returns its output. */
  readonly succeed: (file: string, args: readonly string[]) => Promise<string>
  /** Runs a program of the package's development dependencies. */
  readonly bin: (name: string, args: readonly string[]) => Promise<void>
}

export async function compileN8nPackage(): Promise<N8nPackage> {
  const installed = await installIntegration('n8n')
  const succeed = async (file: string, args: readonly string[]) => {
    const { status, output } = await run(file, args, installed.folder)
    assert.equal(status, 0, output)
    return output
  }
  const bin = async (name: string, args: readonly string[]) => {
    await succeed(join(installed.tools, 'node_modules/.bin', name), args)
  }
  await bin('tsc', ['-p', 'tsconfig.json'])
  await succeed(process.execPath, ['copy-assets.mjs'])
  return { ...installed, succeed, bin }
}

/** The package as its maintainers publish it: what `npm pack` makes. */
export async function packN8nPackage(): Promise<
  N8nPackage & { readonly tarball: string; readonly files: readonly string[] }
> {
  const compiled = await compileN8nPackage()
  const output = await compiled.succeed('npm', ['pack', '--json', '--ignore-scripts'])
  // Warnings of npm surround the JSON.
  const json = output.slice(output.indexOf('[\n'), output.lastIndexOf(']') + 1)
  const [packed] = JSON.parse(json) as [
    { readonly filename: string; readonly files: readonly { readonly path: string }[] },
  ]
  return {
    ...compiled,
    tarball: join(compiled.folder, packed.filename),
    files: packed.files.map(({ path }) => path),
  }
}

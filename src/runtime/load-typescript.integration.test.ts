import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

const HERE = import.meta.dirname

/** Runs `code` in a new process, from a copy of this folder that is installed as a package, as `bin/radar` does. */
async function runInstalled(code: string) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'radar-installed-')))
  try {
    const [shared, root] = [join(top, 'tmp'), join(top, 'node_modules', 'review-radar')]
    mkdirSync(shared)
    const copy = join(root, 'src', 'runtime')
    cpSync(HERE, copy, { recursive: true })
    for (const name of ['undici', 'ipaddr.js']) {
      symlinkSync(join(HERE, '../../node_modules', name), join(top, 'node_modules', name))
    }
    const program = `const here = ${JSON.stringify(pathToFileURL(copy).href)}
      import(here + '/load-typescript.js').then(async () => { ${code} })`
    const env = { ...process.env, TMPDIR: shared, NODE_COMPILE_CACHE: undefined }
    const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'], env })
    const printed = await text(child.stdout)
    return { printed, shared: readdirSync(shared), own: readdirSync(join(root, 'node_modules', '.cache')) }
  } finally {
    rmSync(top, { recursive: true, force: true })
  }
}

test('modules below node_modules load in every thread and cache nothing in shared folders', async () => {
  const { printed, shared, own } = await runInstalled(`
    const { openEgressThread } = await import(here + '/egress/thread/open.ts')
    const egress = openEgressThread({ userAgent: 'x', allowCidrs: [] }, null)
    const request = { method: 'GET', url: 'file:///x', headers: {}, timeoutMs: 1_000, bodyBytesMax: 1 }
    console.log((await egress.request(request)).reason)
    await egress[Symbol.asyncDispose]()`)
  assert.equal(printed, 'invalid_request\n')
  assert.deepEqual([shared, own], [[], ['radar']])
})

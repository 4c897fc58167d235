import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { readWithOutput } from './expose.ts'

function withFile(bytes: readonly number[], use: (file: URL) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'expose-'))
  try {
    const path = join(folder, 'model.onnx')
    writeFileSync(path, Uint8Array.from(bytes))
    use(pathToFileURL(path))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('an output is added behind the bytes of a model', () => {
  withFile([1, 2, 3], (file) => {
    const name = [...Buffer.from('x')]
    assert.deepEqual([...readWithOutput(file, 'x')], [1, 2, 3, 0x3a, 5, 0x62, 3, 0x0a, 1, ...name])
  })
})

test('a name that does not fit is refused', () => {
  withFile([1], (file) => {
    assert.throws(() => readWithOutput(file, 'x'.repeat(130)), /too long/)
  })
})

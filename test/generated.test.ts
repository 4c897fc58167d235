import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { generatedFiles } from '../scripts/generate/files.ts'

for (const [path, text] of generatedFiles())
  test(`${path} is generated from the contract (npm run generate)`, () => {
    assert.equal(readFileSync(join(import.meta.dirname, '..', path), 'utf8'), text)
  })

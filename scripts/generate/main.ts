import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { generatedFiles } from './files.ts'

/** `npm run generate` writes the files that are generated from the contract. */

const root = resolve(import.meta.dirname, '../..')
for (const [path, text] of generatedFiles()) writeFileSync(join(root, path), text)

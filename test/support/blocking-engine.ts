import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CreateEngine } from '../../src/pipeline/enrich/worker/wire.ts'
import { enrichment } from './occurrences.ts'

/**
 * An engine whose creation blocks its thread, like a native call, until the folder of its URL has a file `finish`. It
 * writes the file `building` before and `built` after.
 */
export const createEngine: CreateEngine = () => {
  const folder = new URL(import.meta.url).searchParams.get('folder') ?? ''
  writeFileSync(join(folder, 'building'), '')
  while (!existsSync(join(folder, 'finish'))) Atomics.wait(pause, 0, 0, PAUSE_MS)
  writeFileSync(join(folder, 'built'), '')
  return () => enrichment
}

const PAUSE_MS = 5
const pause = new Int32Array(new SharedArrayBuffer(4))

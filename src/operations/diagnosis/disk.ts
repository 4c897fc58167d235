import { diskLevelOf, diskSentence, mib } from '../../model/disk-space.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { type Finding, ok, problem } from './finding.ts'

/** Nothing for a database server, whose disk is unknown here. */
export async function* diskFindings({ maintenance }: Storage): AsyncGenerator<Finding> {
  const space = await maintenance.diskSpace()
  if (space === null) return
  const sentence = diskSentence(diskLevelOf(space), space)
  yield sentence === null
    ? ok(`The disk of the database has ${mib(space.freeBytes)} of free space.`)
    : problem('disk', sentence)
}

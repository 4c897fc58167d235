import { readDisk } from '../../node/disk-watch.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { type Finding, ok, problem } from './finding.ts'

const MIB = 1024 ** 2

/** Nothing for a database server, whose disk is unknown here. */
export async function* diskFindings({ maintenance }: Storage): AsyncGenerator<Finding> {
  const disk = await readDisk(maintenance)
  if (disk === null) return
  yield disk.problem === null
    ? ok(`The disk of the database has ${Math.floor(disk.freeBytes / MIB)} MiB of free space.`)
    : problem(disk.problem)
}

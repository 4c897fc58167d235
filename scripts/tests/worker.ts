import { after, suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import { openTestQueue, type TestQueue } from './queue.ts'

/**
 * Runs test files of the queue in this process, one after the other, each in a suite of its name. A file is loaded when the tests of the
 * one before have ended, so that its services run only during its own tests.
 */
export async function runQueuedTests(folder: string): Promise<void> {
  const queue = openTestQueue(folder)
  for (let file = queue.take(); file !== null; file = queue.take()) await runFile(queue, file)
  setTimeout(endByForce, OPEN_MS_MAX).unref()
}

/** How long something may stay open after the last test: far longer than the end of a connection takes. */
const OPEN_MS_MAX = 30_000

/** A server or timer that a test left open would keep the process, and the whole run, for ever. */
function endByForce(): void {
  process.stderr.write(`A test left something open: ${process.getActiveResourcesInfo().join(', ')}\n`)
  process.exit(1)
}

async function runFile(queue: TestQueue, file: string): Promise<void> {
  const startedMs = performance.now()
  // What `suite` returns is settled before its tests run, so a last hook tells their end.
  await new Promise<void>((resolve) => {
    const end = () => {
      queue.end(file, performance.now() - startedMs)
      resolve()
    }
    suite(file, async () => {
      try {
        await import(pathToFileURL(file).href)
        after(end)
      } catch (error) {
        end()
        throw error
      }
    })
  })
}

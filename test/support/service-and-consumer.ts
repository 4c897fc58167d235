import { after } from 'node:test'
import { type Consumer, startConsumer } from './consumer.ts'
import { startTestService, type TestService } from './service.ts'

/** A service and a consumer of its hooks for all tests of a file. Closes both after the tests. */
export async function serviceAndConsumer(
  ...args: Parameters<typeof startTestService>
): Promise<{ readonly radar: TestService; readonly consumer: Consumer }> {
  const radar = await startTestService(...args)
  after(() => radar[Symbol.asyncDispose]())
  const consumer = await startConsumer()
  after(() => consumer[Symbol.asyncDispose]())
  return { radar, consumer }
}

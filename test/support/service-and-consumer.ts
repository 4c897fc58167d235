import { after } from 'node:test'
import { type Consumer, startConsumer } from './consumer.ts'
import { startTestService, type TestService } from './service.ts'

/** A service and a consumer of its hooks for all tests of a file; both are closed after them, the service first. */
export async function serviceAndConsumer(
  ...given: Parameters<typeof startTestService>
): Promise<{ readonly radar: TestService; readonly consumer: Consumer }> {
  const radar = await startTestService(...given)
  after(() => radar[Symbol.asyncDispose]())
  const consumer = await startConsumer()
  after(() => consumer[Symbol.asyncDispose]())
  return { radar, consumer }
}

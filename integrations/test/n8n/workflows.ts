import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after } from 'node:test'
import { startTestService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/until.ts'
import { packN8nPackage } from '../support/n8n-package.ts'
import { addTrackedApp, trackApp } from '../support/platform.ts'
import { installN8n, startN8n } from './n8n-server.ts'

/** A real n8n with the packed nodes, controlled as its editor does, and the real service. Each test file has its own. */

export type Values = Readonly<Record<string, unknown>>
export type WorkflowNode = {
  readonly name: string
  readonly type: string
  readonly typeVersion: number
  readonly parameters: Values
}
export type Workflow = {
  readonly id: string
  readonly versionId: string
  readonly name: string
  readonly nodes: readonly WorkflowNode[]
}

const packed = await packN8nPackage()
after(() => packed[Symbol.asyncDispose]())
export const radar = await startTestService({
  RADAR_REVIEWS_POLL_INTERVAL: '200ms',
  RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '100000',
  // n8n is moved to the name of this machine.
  RADAR_ALLOW_TARGET_CIDRS: '127.0.0.0/8,::1',
  // n8n answers 401 until it has stored the secret of a new hook, a moment after it has created it.
  RADAR_ACCOUNT_TEST_EVENTS_PER_MINUTE: '100000',
  RADAR_RETRY_WAITS: Array.from({ length: 20 }, () => '2s').join(),
})
after(() => radar[Symbol.asyncDispose]())
const n8nFolder = await installN8n()
export const n8n = await startN8n(n8nFolder, packed.tarball)
after(() => n8n[Symbol.asyncDispose]())
addTrackedApp(radar)
export const alice = await radar.person('Alice')
await trackApp(alice)

export const credential = (token: string) => ({
  id: '',
  name: 'Review Radar',
  type: 'reviewRadarApi',
  data: { baseUrl: radar.url, token },
})
export const { id: credentialId } = await n8n.rest<{ id: string }>(
  'POST',
  '/credentials',
  credential(alice.token),
)
export const credentials = { reviewRadarApi: { id: credentialId, name: 'Review Radar' } }

export const APP = { __rl: true, mode: 'list', value: 'apple:310633997' }
export const TRIGGER = {
  id: randomUUID(),
  name: 'Trigger',
  type: 'n8n-nodes-review-radar.reviewRadarTrigger',
  typeVersion: 1,
  position: [0, 0],
  credentials,
}

export async function createWorkflow(nodes: readonly Values[], connections: Values = {}): Promise<Workflow> {
  const settings = { executionOrder: 'v1', saveDataSuccessExecution: 'all', saveManualExecutions: true }
  return n8n.rest('POST', '/workflows', { name: randomUUID(), nodes, connections, settings, active: false })
}

/** A workflow that starts with the trigger and reads the review of its event. */
export function triggered(parameters: Values) {
  const read = {
    id: randomUUID(),
    name: 'Read',
    type: 'n8n-nodes-review-radar.reviewRadar',
    typeVersion: 1,
    position: [220, 0],
    credentials,
    parameters: { resource: 'app', operation: 'getAll', returnAll: true },
  }
  return createWorkflow(
    [{ ...TRIGGER, webhookId: randomUUID(), parameters: { app: APP, ...parameters } }, read],
    { Trigger: { main: [[{ node: 'Read', type: 'main', index: 0 }]] } },
  )
}

type Execution = { readonly id: string; readonly status: string; readonly mode: string }

export async function executionsOf(workflow: Workflow): Promise<readonly Execution[]> {
  const filter = encodeURIComponent(JSON.stringify({ workflowId: workflow.id }))
  const { results } = await n8n.rest<{ results: readonly Execution[] }>('GET', `/executions?filter=${filter}`)
  return results
}

/** Waits for `count` successful executions. */
export async function executed(workflow: Workflow, count: number): Promise<void> {
  await until(`${count} executions succeed`, async () => {
    const found = await executionsOf(workflow)
    const failed = found.filter(({ status }) => status === 'error' || status === 'crashed')
    assert.deepEqual(failed, [], n8n.output())
    return found.filter(({ status }) => status === 'success').length === count
  })
}

export const hooks = () => alice.client.listHooks()
export const hookCount = (count: number) =>
  until(`there are ${count} hooks`, async () => (await hooks()).length === count)

export const publish = ({ id, versionId }: Workflow) =>
  n8n.rest('POST', `/workflows/${id}/activate`, { versionId })

/** n8n activates in the background. */
export async function activate(workflow: Workflow, hooksExpected = 1): Promise<void> {
  await publish(workflow)
  await hookCount(hooksExpected)
}

const flatted: { readonly parse: (text: string) => unknown } = createRequire(join(n8nFolder, 'index.js'))(
  'flatted',
)
type ExecutionData = {
  readonly resultData: {
    readonly runData: Readonly<
      Record<string, readonly { readonly data: { readonly main: { readonly json: Values }[][] } }[]>
    >
  }
}

/** The first item that each node put out in the newest execution. */
export async function outputsOf(workflow: Workflow): Promise<Readonly<Record<string, Values | undefined>>> {
  const [newest] = await executionsOf(workflow)
  const { data } = await n8n.rest<{ data: string }>('GET', `/executions/${newest?.id}`)
  const { runData } = (flatted.parse(data) as ExecutionData).resultData
  return Object.fromEntries(
    Object.entries(runData).map(([name, runs]) => [name, runs[0]?.data.main[0]?.[0]?.json]),
  )
}

export async function deactivate({ id }: Workflow): Promise<void> {
  await n8n.rest('POST', `/workflows/${id}/deactivate`, {})
  await hookCount(0)
}

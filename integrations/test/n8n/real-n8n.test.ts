import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { readJson } from '../support/files.ts'
import { dropRating, publishNewReview } from '../support/platform.ts'
import {
  APP,
  activate,
  alice,
  createWorkflow,
  credential,
  credentialId,
  credentials,
  deactivate,
  executed,
  executionsOf,
  hookCount,
  hooks,
  n8n,
  outputsOf,
  publish,
  radar,
  TRIGGER,
  triggered,
  type Values,
  type Workflow,
  type WorkflowNode,
} from './workflows.ts'

/** The packed nodes in a real n8n. */

test('the credential is tested with the token', async () => {
  const check = (token: string) =>
    n8n.rest<{ status: string }>('POST', '/credentials/test', {
      credentials: { ...credential(token), id: credentialId },
    })
  assert.equal((await check(alice.token)).status, 'OK')
  assert.equal((await check('rsk_wrong')).status, 'Error')
})

test('the drop-down of apps lists tracked and found apps', async () => {
  const found = await n8n.rest<{ results: readonly { name: string; value: string }[] }>(
    'POST',
    '/dynamic-node-parameters/resource-locator-results',
    {
      path: 'parameters.app',
      nodeTypeAndVersion: { name: TRIGGER.type, version: 1 },
      currentNodeParameters: { event: 'review.created' },
      credentials,
      methodName: 'searchApps',
      filter: '310633997',
    },
  )
  assert.deepEqual(
    found.results.map(({ value }) => value),
    ['apple:310633997'],
  )
})

test('an active workflow receives events, also after a restart, until it is deactivated', async () => {
  const workflow = await triggered({ event: 'review.created', countries: [], minStars: 1, maxStars: 2 })
  await activate(workflow)
  const [hook] = await hooks()
  assert.deepEqual([hook?.source, hook?.max_stars], ['n8n', 2])
  await publishNewReview(radar)
  await executed(workflow, 1)

  const body = JSON.stringify({ event_type: 'review.created' })
  const forged = { 'webhook-id': 'x', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) }
  const headers = { ...forged, 'webhook-signature': 'v1,AAAA', 'content-type': 'application/json' }
  const answer = await fetch(hook?.target_url ?? '', { method: 'POST', headers, body })
  assert.deepEqual([answer.status, await answer.json()], [401, { error: 'The signature is wrong.' }])

  await n8n.restart()
  assert.deepEqual(
    (await hooks()).map(({ id }) => id),
    [hook?.id],
  )
  await publishNewReview(radar)
  await executed(workflow, 2)

  await deactivate(workflow)
  assert.equal((await fetch(hook?.target_url ?? '', { method: 'POST', headers, body })).status, 404)
})

test('a workflow starts with a rating drop', async () => {
  const workflow = await triggered({ event: 'rating.dropped', firesWhen: 'delta', delta: 0.1 })
  await activate(workflow)
  await dropRating(radar)
  await executed(workflow, 1)
  await deactivate(workflow)
})

test('an activation that the service rejects shows its reason', async () => {
  const workflow = await triggered({ event: 'rating.dropped', firesWhen: 'delta', delta: 9 })
  await publish(workflow)
  await until('the reason is shown', async () => {
    const status = await n8n.rest('GET', `/workflows/${workflow.id}/publication-status`)
    return JSON.stringify(status).includes('delta must be a number from 0 to 4')
  })
  await deactivate(workflow)
})

test('a test in the editor receives a sample event and removes its hook', async () => {
  const workflow = await triggered({ event: 'review.created', minStars: 1, maxStars: 5 })
  const started = await n8n.rest<{ waitingForWebhook?: boolean }>(
    'POST',
    `/workflows/${workflow.id}/run`,
    { workflowData: workflow, triggerToStartFrom: { name: 'Trigger' } },
    { 'push-ref': 'test-editor' },
  )
  assert.equal(started.waitingForWebhook, true)
  await executed(workflow, 1)
  assert.equal((await executionsOf(workflow))[0]?.mode, 'manual')
  await hookCount(0)
})

type Recipe = {
  readonly name: string
  readonly nodes: readonly WorkflowNode[]
  readonly connections: Values
}

/** Parameters of a node whose texts are expressions about the event. */
const TEXTS = ['text', 'title', 'body', 'jsonBody'] as const

/**
 * A recipe with an app and a credential, whose nodes for other services are replaced by ones that only evaluate their texts.
 */
function runnable({ nodes, connections }: Recipe): Promise<Workflow> {
  const changed = nodes.map((node) => {
    const { parameters, type } = node
    if (type.startsWith('n8n-nodes-review-radar.')) {
      const webhook = type.endsWith('Trigger') ? { webhookId: randomUUID() } : {}
      return { ...node, ...webhook, credentials, parameters: { ...parameters, app: APP } }
    }
    if (!/\.(slack|github|httpRequest|googleSheets)$/.test(type)) return node
    const columns = parameters.columns as { value: Values } | undefined
    const texts = { ...Object.fromEntries(TEXTS.map((name) => [name, parameters[name]])), ...columns?.value }
    const assignments = Object.entries(texts)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => ({ id: randomUUID(), name, value, type: 'string' }))
    return {
      ...node,
      type: 'n8n-nodes-base.set',
      typeVersion: 3.4,
      parameters: { mode: 'manual', assignments: { assignments }, options: {} },
    }
  })
  return createWorkflow(changed, connections)
}

const recipe = (file: string) => readJson<Recipe>(`n8n/recipes/${file}.json`)

test('the recipes import, with nodes that this n8n has', async () => {
  const files = readdirSync(join(import.meta.dirname, '../../n8n/recipes'))
  assert.equal(files.length, 4)
  for (const file of files) {
    const imported = recipe(file.replace('.json', ''))
    const nodeInfos = imported.nodes.map(({ type, typeVersion }) => ({ name: type, version: typeVersion }))
    const types = await n8n.rest<readonly unknown[]>('POST', '/node-types', { nodeInfos })
    assert.equal(types.length, nodeInfos.length, file)
    await n8n.rest('POST', '/workflows', { ...imported, name: `${file} as imported` })
  }
})

/** Runs the recipe with a sample event for each of its triggers. Returns what its nodes put out. */
async function runWithSamples(file: string, triggers: number): Promise<Readonly<Record<string, Values>>> {
  const workflow = await runnable(recipe(file))
  await activate(workflow, triggers)
  const outputs: Record<string, Values> = {}
  for (const [index, hook] of (await hooks()).entries()) {
    await until('n8n accepts the event', async () => (await alice.client.testHook(hook.id)).accepted)
    await executed(workflow, index + 1)
    for (const [name, json] of Object.entries(await outputsOf(workflow))) if (json) outputs[name] = json
  }
  await deactivate(workflow)
  return outputs
}

test('the recipe for Slack and GitHub posts the review and opens an issue', async () => {
  const outputs = await runWithSamples('reviews-to-slack-and-github', 1)
  const { text } = outputs['Post to Slack'] ?? {}
  assert.match(String(text), /^★★★☆☆ Great until the last update\nI use this every day/)
  assert.match(String(text), /\n_Sample Reviewer · US · 4\.2\.0_$/)
  const { title, body } = outputs['Create Issue'] ?? {}
  assert.match(String(title), /^Review: Likes the app, but it crashes/)
  assert.match(String(body), /^3 of 5 stars, apple us, version 4\.2\.0, severity high, stability_crash/)
  assert.match(String(body), /\n\n {4}Great until the last update\n {4}\n {4}I use this every day/)
})

test('the recipe for on-call makes an incident of a rating drop and of a review', async () => {
  const outputs = await runWithSamples('low-ratings-to-on-call', 2)
  const incident = (name: string) => JSON.parse(String(outputs[name]?.jsonBody))
  const drop = incident('Page for Rating Drop')
  assert.equal(drop.payload.summary, 'Rating 4.5 → 4.4')
  assert.deepEqual([drop.event_action, drop.payload.severity], ['trigger', 'error'])
  const review = incident('Page for Review')
  assert.match(review.payload.summary, /^Likes the app, but it crashes/)
  assert.match(review.dedup_key, /^[0-9a-f]{64}$/)
})

test('the recipe for a sheet fills every column', async () => {
  const row = (await runWithSamples('feature-requests-to-a-sheet', 1))['Append Row'] ?? {}
  assert.deepEqual([row.feature, row.key, row.stars], ['Dark mode', 'dark-mode', '3'])
  const empty = Object.entries(row).filter(([, value]) => value === null || value === '')
  assert.deepEqual(empty, [])
  assert.equal(Object.keys(row).length, 10)
})

test('a hostile review cannot mention a channel, and arrives once', async () => {
  const workflow = await runnable(recipe('reviews-to-slack-and-github'))
  await activate(workflow)
  await publishNewReview(radar)
  await executed(workflow, 1)
  const { text } = (await outputsOf(workflow))['Post to Slack'] ?? {}
  assert.match(String(text), /&lt;b&gt;&amp;amp;&lt;\/b&gt;/)
  assert.doesNotMatch(String(text), /[<>]/)
  const [delivered] = (await alice.client.call<{ data: { event_id: string }[] }>('GET', '/deliveries')).data
  await alice.client.call('POST', `/deliveries/${delivered?.event_id}/resend`)
  await executed(workflow, 2)
  const repeated = await outputsOf(workflow)
  assert.ok(repeated['New Review'])
  assert.equal(repeated['Post to Slack'], undefined)
  await deactivate(workflow)
})

test('the weekly digest shows the figures of both weeks', async () => {
  const workflow = await runnable(recipe('weekly-digest'))
  const start = { workflowData: workflow, triggerToStartFrom: { name: 'Every Monday' } }
  await n8n.rest('POST', `/workflows/${workflow.id}/run`, start, { 'push-ref': 'test-editor' })
  await executed(workflow, 1)
  const { text } = (await outputsOf(workflow))['Post Digest'] ?? {}
  assert.match(
    String(text),
    /^\*App reviews of the last 7 days\*\n\d+ reviews \(before: 0\), \d\.\d\d stars on average/,
  )
})

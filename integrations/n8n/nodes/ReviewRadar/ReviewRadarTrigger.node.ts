import {
  type IDataObject,
  type IExecuteFunctions,
  type IHookFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type ITriggerFunctions,
  type ITriggerResponse,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
  NodeOperationError,
} from 'n8n-workflow'
import { NOT_AN_APP, parseApp } from './app'
import { searchApps } from './app-property'
import { checkHookRegularly, LOST } from './hook-check'
import { createHook, isAlive, pathOf, removeHook } from './hooks'
import { request } from './request'
import { signatureProblem } from './signature'
import { hooksOf, isSameTrigger, type Rule, ruleBody, type StoredHook, storeHooks } from './subscription'
import { sendSampleSoon } from './test-event'
import { TRIGGER_PROPERTIES } from './trigger-properties'

type HookView = { readonly id: string; readonly source: string; readonly target_url: string }

export class ReviewRadarTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Review Radar Trigger',
    name: 'reviewRadarTrigger',
    icon: { light: 'file:../../icons/reviewRadar.svg', dark: 'file:../../icons/reviewRadar.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["event"]}}',
    description:
      'Starts the workflow at a new review, a spike of negative reviews, or a drop or recovery of the rating',
    defaults: { name: 'Review Radar Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'reviewRadarApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: TRIGGER_PROPERTIES,
  }

  methods = { listSearch: { searchApps } }

  webhookMethods = {
    default: {
      /**
       * n8n also asks after each restart, for nodes with `trigger`. The stored hook is kept only if it still does what the parameters say.
       * It moves when the public URL of n8n has changed.
       */
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const rule = JSON.stringify(bodyOf(this))
        let kept: StoredHook | null = null
        for (const hook of hooksOfTrigger(this)) {
          if (kept === null && hook.rule === rule && (await isKept(this, hook))) kept = hook
          else await removeHook(this, hook)
        }
        await removeOrphans(this, kept)
        return kept !== null
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const isTest = this.getActivationMode() === 'manual'
        const { id } = await createHook(this, bodyOf(this), { targetUrl: targetUrlOf(this), isTest })
        if (isTest) sendSampleSoon(this, id)
        return true
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        for (const hook of hooksOfTrigger(this)) await removeHook(this, hook)
        await removeOrphans(this, null)
        return true
      },
    },
  }

  async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
    checkHookRegularly(this)
    return {}
  }

  /** Passes the event on. Without it, n8n would wait for `trigger` in a test of the editor. */
  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return [this.getInputData()]
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { headers, rawBody } = this.getRequestObject()
    const secrets = hooksOf(this.getWorkflowStaticData('node')).map(({ secret }) => secret)
    const problem = signatureProblem({ headers, body: rawBody }, secrets, Date.now())
    if (problem === null) {
      const event: IDataObject = JSON.parse(rawBody.toString('utf8'))
      return { workflowData: [[{ json: event }]] }
    }
    this.getResponseObject().status(401).json({ error: problem })
    return { noWebhookResponse: true }
  }
}

/** The hooks of the active workflow or of the test, not of the other. */
function hooksOfTrigger(context: IHookFunctions): StoredHook[] {
  const targetUrl = targetUrlOf(context)
  return hooksOf(context.getWorkflowStaticData('node')).filter((hook) =>
    isSameTrigger(hook.targetUrl, targetUrl),
  )
}

/** Whether the service still has the hook and sends to the URL of today; moves it there. */
async function isKept(context: IHookFunctions, hook: StoredHook): Promise<boolean> {
  const targetUrl = targetUrlOf(context)
  if (!(await isAlive(context, hook))) {
    context.logger.warn(LOST)
    return false
  }
  if (hook.targetUrl === targetUrl) return true
  await request(context, { method: 'PATCH', path: pathOf(hook), body: { target_url: targetUrl } })
  const staticData = context.getWorkflowStaticData('node')
  const others = hooksOf(staticData).filter(({ id }) => id !== hook.id)
  storeHooks(staticData, [...others, { ...hook, targetUrl }])
  return true
}

/** Hooks of this trigger whose secret is lost, for example after n8n was stopped before it stored the static data. */
async function removeOrphans(context: IHookFunctions, kept: StoredHook | null): Promise<void> {
  const targetUrl = targetUrlOf(context)
  const hooks = await request<readonly HookView[]>(context, { method: 'GET', path: '/hooks' })
  for (const { id, source, target_url } of hooks)
    if (id !== kept?.id && source === 'n8n' && isSameTrigger(target_url, targetUrl))
      await removeHook(context, { id })
}

function targetUrlOf(context: IHookFunctions): string {
  const url = context.getNodeWebhookUrl('default')
  if (url === undefined) throw new NodeOperationError(context.getNode(), 'n8n gave the trigger no URL')
  return url
}

function bodyOf(context: IHookFunctions): IDataObject {
  const app = parseApp(String(context.getNodeParameter('app', '', { extractValue: true })))
  if (app === null) throw new NodeOperationError(context.getNode(), NOT_AN_APP)
  const rule: Rule = {
    app,
    eventType: context.getNodeParameter('event') as string,
    countries: context.getNodeParameter('countries', []) as string[],
    filters: context.getNodeParameter('filters', {}) as IDataObject,
    minStars: context.getNodeParameter('minStars', 1) as number,
    maxStars: context.getNodeParameter('maxStars', 5) as number,
    firesWhen: context.getNodeParameter('firesWhen', 'delta') as Rule['firesWhen'],
    delta: context.getNodeParameter('delta', 0.1) as number,
    deltaWindowHours: context.getNodeParameter('deltaWindowHours', 0) as number,
    threshold: context.getNodeParameter('threshold', 4) as number,
    spikeMinReviews: context.getNodeParameter('spikeMinReviews', 5) as number,
    spikeFactor: context.getNodeParameter('spikeFactor', 3) as number,
  }
  return ruleBody(rule)
}

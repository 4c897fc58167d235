import type { IDataObject, IHookFunctions, ITriggerFunctions } from 'n8n-workflow'
import { request, requestIfExists } from './request'
import { hooksOf, type StoredHook, storeHooks } from './subscription'

/** The hooks of a trigger at the service and in the static data of its node. */

type HookContext = IHookFunctions | ITriggerFunctions
type HookDetail = { readonly status: string }
type CreatedHook = { readonly id: string; readonly secret: string }

/** Creates a hook with the subscription `body` and stores it. */
export async function createHook(
  context: HookContext,
  body: IDataObject,
  { targetUrl, isTest }: Pick<StoredHook, 'targetUrl' | 'isTest'>,
): Promise<CreatedHook> {
  const created = await request<CreatedHook>(context, {
    method: 'POST',
    path: '/hooks',
    body: { ...body, target_url: targetUrl, source: 'n8n', external_ref: referenceOf(context) },
  })
  const { id, secret } = created
  const staticData = context.getWorkflowStaticData('node')
  storeHooks(staticData, [
    ...hooksOf(staticData),
    { id, secret, targetUrl, isTest, rule: JSON.stringify(body) },
  ])
  return created
}

/** Whether the service has the hook and delivers to it: it gives up a hook whose receiver answered 410. */
export async function isAlive(context: HookContext, hook: StoredHook): Promise<boolean> {
  const found = await requestIfExists<HookDetail>(context, { method: 'GET', path: pathOf(hook) })
  return found !== null && found.status !== 'gone'
}

/** A missing hook counts as removed. */
export async function removeHook(context: HookContext, { id }: Pick<StoredHook, 'id'>): Promise<void> {
  await requestIfExists(context, { method: 'DELETE', path: pathOf({ id }) })
  const staticData = context.getWorkflowStaticData('node')
  storeHooks(
    staticData,
    hooksOf(staticData).filter((hook) => hook.id !== id),
  )
}

export function pathOf({ id }: Pick<StoredHook, 'id'>): string {
  return `/hooks/${encodeURIComponent(id)}`
}

/** Shown in the console of the service. */
function referenceOf(context: HookContext): string {
  const { name, id } = context.getWorkflow()
  return `n8n workflow: ${name ?? id ?? 'unnamed'}`.slice(0, 256)
}

import { type ITriggerFunctions, NodeOperationError, toCronExpression } from 'n8n-workflow'
import { createHook, isAlive, removeHook } from './hooks'
import { hooksOf } from './subscription'

/** Chosen: a deleted hook costs the events of a few minutes, and a workflow twelve requests an hour. */
const EVERY_MINUTES = 5

/** n8n asks for the hook only when it starts or activates the workflow. Between these, this does. */
export function checkHookRegularly(context: ITriggerFunctions): void {
  const expression = toCronExpression({ mode: 'everyX', unit: 'minutes', value: EVERY_MINUTES })
  context.helpers.registerCron({ expression }, () => checkHook(context))
}

/**
 * Creates the hook again if the service no longer has it, and reports that to n8n, which logs it, runs the error workflow and stores the
 * static data with the new hook. A service that does not answer is logged; its hook is checked at the next time.
 */
async function checkHook(context: ITriggerFunctions): Promise<void> {
  try {
    for (const hook of hooksOf(context.getWorkflowStaticData('node'))) {
      if (hook.isTest || (await isAlive(context, hook))) continue
      await createHook(context, JSON.parse(hook.rule), hook)
      await removeHook(context, hook)
      context.emitError(new NodeOperationError(context.getNode(), LOST))
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    context.logger.warn(`The hook of the workflow at Review Radar could not be checked: ${reason}`)
  }
}

export const LOST =
  'The hook of this workflow no longer exists at Review Radar: it was deleted, or n8n answered 410. A new hook was created. Events sent in between are lost.'

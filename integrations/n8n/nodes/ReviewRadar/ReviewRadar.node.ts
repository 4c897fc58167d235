import {
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type JsonObject,
  NodeApiError,
  NodeConnectionTypes,
  NodeOperationError,
} from 'n8n-workflow'
import { ACTION_PROPERTIES } from './action-properties'
import { searchApps } from './app-property'
import { OPERATIONS, type Parameters, type Plan } from './operations'
import { request } from './request'

/** The largest page of the service. */
const PAGE_ROWS_MAX = 200

type Page = { readonly data: readonly IDataObject[]; readonly next_cursor?: string | null }

export class ReviewRadar implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Review Radar',
    name: 'reviewRadar',
    icon: { light: 'file:../../icons/reviewRadar.svg', dark: 'file:../../icons/reviewRadar.dark.svg' },
    group: ['input'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Read app reviews, ratings and statistics, and replay deliveries',
    defaults: { name: 'Review Radar' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'reviewRadarApi', required: true }],
    properties: ACTION_PROPERTIES,
  }

  methods = { listSearch: { searchApps } }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const results: INodeExecutionData[] = []
    for (const index of this.getInputData().keys()) {
      try {
        const rows = await rowsOf(this, index)
        results.push(...rows.map((json) => ({ json, pairedItem: { item: index } })))
      } catch (error) {
        if (!this.continueOnFail()) {
          if (error instanceof NodeOperationError) throw new NodeOperationError(this.getNode(), error)
          throw new NodeApiError(this.getNode(), error as JsonObject, { itemIndex: index })
        }
        const message = error instanceof Error ? error.message : String(error)
        results.push({ json: { error: message }, pairedItem: { item: index } })
      }
    }
    return [results]
  }
}

async function rowsOf(context: IExecuteFunctions, index: number): Promise<readonly IDataObject[]> {
  const resource = context.getNodeParameter('resource', index) as string
  const operation = context.getNodeParameter('operation', index) as string
  const plan = OPERATIONS[resource]?.[operation]?.(parametersOf(context, index))
  if (plan === undefined)
    throw new NodeOperationError(context.getNode(), `${resource} has no operation ${operation}`, {
      itemIndex: index,
    })
  if (plan.list === undefined) return [await request<IDataObject>(context, plan)]
  const returnAll = operation !== 'getAll' || context.getNodeParameter('returnAll', index)
  const limit = returnAll ? Number.POSITIVE_INFINITY : (context.getNodeParameter('limit', index) as number)
  if (plan.list === 'page') return pagesOf(context, plan, limit)
  const answer = await request<Page | readonly IDataObject[]>(context, plan)
  return ('data' in answer ? answer.data : answer).slice(0, limit)
}

async function pagesOf(
  context: IExecuteFunctions,
  plan: Plan,
  limit: number,
): Promise<readonly IDataObject[]> {
  const rows: IDataObject[] = []
  let cursor: string | null = null
  do {
    const wanted = Math.min(PAGE_ROWS_MAX, limit - rows.length)
    const query: IDataObject = { ...plan.query, limit: wanted, ...(cursor === null ? {} : { cursor }) }
    const page: Page = await request<Page>(context, { ...plan, query })
    rows.push(...page.data)
    cursor = page.next_cursor ?? null
  } while (cursor !== null && rows.length < limit)
  return rows
}

function parametersOf(context: IExecuteFunctions, index: number): Parameters {
  const value = (name: string, fallback: unknown) =>
    context.getNodeParameter(name, index, fallback, { extractValue: true })
  return {
    text: (name) => String(value(name, '')),
    object: (name) => value(name, {}) as IDataObject,
    timezone: context.getTimezone(),
    invalid: (message) => new NodeOperationError(context.getNode(), message, { itemIndex: index }),
  }
}

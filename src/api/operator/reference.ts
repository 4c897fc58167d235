import type * as contract from '../../contract/route.ts'
import { notFound } from '../add-routes.ts'
import { type Route, route } from '../route.ts'

export type ReferenceDeps = {
  readonly routes: Readonly<Record<string, contract.Route>>
  readonly version: string
  readonly publicUrl: () => string
}

/** `/openapi.json` and the page generated from it. Both are built on the first request, which most processes never get. */
export function referenceRoutes(deps: ReferenceDeps): Route[] {
  const documentOf = async () => {
    const { openApiOf } = await import('../../contract/openapi/document.ts')
    return openApiOf(deps.routes, { version: deps.version, publicUrl: deps.publicUrl() })
  }
  let document: ReturnType<typeof documentOf> | null = null
  const openApi = () => {
    document ??= documentOf()
    return document
  }

  return [
    route({ method: 'GET', path: '/openapi.json', access: 'anyone', run: async () => openApi() }),

    route({
      method: 'GET',
      path: '/openapi.yaml',
      access: 'anyone',
      async run({ reply }) {
        const { yamlOf } = await import('../../contract/openapi/yaml.ts')
        return reply.type('application/yaml; charset=utf-8').send(yamlOf(await openApi()).trimStart())
      },
    }),

    route({
      method: 'GET',
      path: '/schemas/:file',
      access: 'anyone',
      async run({ param }) {
        const { eventSchemaOf } = await import('../../contract/openapi/document.ts')
        const [, type = ''] = /^(.*)\.json$/.exec(param('file')) ?? []
        const schema = eventSchemaOf(type, deps.publicUrl())
        if (schema === null) throw notFound()
        return schema
      },
    }),

    route({
      method: 'GET',
      path: '/docs',
      access: 'anyone',
      async run({ reply }) {
        const { referencePage } = await import('./reference-page.ts')
        const { html, contentSecurityPolicy } = referencePage(await openApi())
        return reply
          .type('text/html; charset=utf-8')
          .header('content-security-policy', contentSecurityPolicy)
          .send(html)
      },
    }),
  ]
}

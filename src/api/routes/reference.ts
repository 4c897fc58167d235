import type { FastifyInstance } from 'fastify'
import type { Route } from '../../contract/routes.ts'

export type ReferenceDeps = {
  readonly routes: Readonly<Record<string, Route>>
  readonly version: string
  readonly publicUrl: () => string
}

/** `/openapi.json` and the page made from it. Both are made when first asked for: most processes never are. */
export function referencePages(server: FastifyInstance, deps: ReferenceDeps): void {
  const documentOf = async () => {
    const { openApiOf } = await import('../../contract/openapi.ts')
    return openApiOf(deps.routes, { version: deps.version, publicUrl: deps.publicUrl() })
  }
  let document: ReturnType<typeof documentOf> | null = null
  const openApi = () => {
    document ??= documentOf()
    return document
  }

  server.get('/openapi.json', async () => openApi())

  server.get('/docs', async (_request, reply) => {
    const { referencePage } = await import('../reference-page.ts')
    const { html, contentSecurityPolicy } = referencePage(await openApi())
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', contentSecurityPolicy)
      .send(html)
  })
}

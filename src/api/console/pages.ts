import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { firstRequestOf } from '../../contract/console/first-load.ts'
import { isConsolePage } from '../../contract/console/pages.ts'
import { basePathOf } from '../../model/base-path.ts'
import { notFound } from '../add-routes.ts'

/**
 * The content security policy of the console's pages: no inline scripts and none from other hosts. Mantine sets styles on elements, and app
 * icons come from the stores' hosts.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' https: data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const NOT_BUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Review Radar</title>
<p>The console is not built yet. Run <code>npm run build:console</code> and load this page again.
<p>The API works without it: see <a href="BASE_PATH/docs">its reference</a>.
`

/** The folder of files whose name contains a hash of their content (Vite). Other files may change under the same name. */
const ASSETS = '/assets/'

const API = '/api/console'

/** Serves the built console in `folder`: its files, and its HTML document for every page of its router. */
export async function mountPages(
  server: FastifyInstance,
  folder: string,
  publicUrl: () => string,
): Promise<void> {
  await server.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    suppressWarning: true,
  })

  const basePath = () => basePathOf(publicUrl())
  let document: string | null = null
  /** The document with the base path. At the root it is sent as it was built, compressed. */
  const sendDocument = (reply: FastifyReply) => {
    if (basePath() === '') return send(reply, '/index.html')
    document ??= atBasePath(readFileSync(join(folder, 'index.html'), 'utf8'), basePath())
    return reply.type('text/html; charset=utf-8').send(document)
  }

  server.get<{ Params: { '*': string } }>('/*', async (request, reply) => {
    const path = `/${request.params['*']}`
    if (path === '/api' || path.startsWith('/api/')) throw notFound()
    reply.header('content-security-policy', CONTENT_SECURITY_POLICY)
    if (!existsSync(join(folder, 'index.html'))) {
      if (!isConsolePage(rawPathOf(request.url))) throw notFound()
      return reply.code(503).type('text/html; charset=utf-8').send(NOT_BUILT.replace('BASE_PATH', basePath()))
    }
    if (path.startsWith(ASSETS)) {
      if (!isFile(folder, path)) throw notFound()
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      return send(reply, path)
    }
    reply.header('cache-control', 'no-cache')
    if (isFile(folder, path)) return send(reply, path)
    const isPage = isConsolePage(rawPathOf(request.url))
    // At another path a browser gets the console too, which shows its "not found" page.
    if (!isPage && !String(request.headers.accept).includes('text/html')) throw notFound()
    reply.header(
      'link',
      `<${basePath()}${API}${firstRequestOf(request.url)}>; rel=preload; as=fetch; crossorigin`,
    )
    return sendDocument(reply.code(isPage ? 200 : 404))
  })
}

/** `html` with its addresses below the base path, which a `meta` tells the scripts. The setting allows no character that HTML escapes. */
function atBasePath(html: string, basePath: string): string {
  return html
    .replaceAll(/ (href|src)="\//g, ` $1="${basePath}/`)
    .replace('name="base-path" content=""', `name="base-path" content="${basePath}"`)
}

/** Still encoded: a slash inside a parameter is `%2F`. */
function rawPathOf(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? ''
}

/** Only plain names, so that no path leaves the folder and compressed copies are not served by name. */
function isFile(folder: string, path: string): boolean {
  return (
    /^\/(?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.(?:js|css|svg|png|ico|woff2|txt|webmanifest)$/.test(path) &&
    existsSync(join(folder, path))
  )
}

function send(reply: FastifyReply, path: string): FastifyReply {
  return reply.header('vary', 'accept-encoding').sendFile(path)
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAccountData } from '../support/console-data.ts'
import { tenant } from '../support/interfaces.ts'
import { listen } from '../support/listen.ts'
import { startTestService } from '../support/service.ts'

/** What each program of these tests prints: it subscribes, lists reviews and events, and calls with a wrong token. */
export const EXPECTED = { hook: true, reviews: 2, event: 'review.created', status: 401 }

export type Served = AsyncDisposable & {
  readonly url: string
  readonly token: string
  readonly appId: string
  /** A folder with `openapi.json` and `openapi.yaml`. */
  readonly folder: string
}

/** A service with data behind a proxy that adds a field to each JSON object of its responses, as a later version may. */
export async function serveClients(): Promise<Served> {
  await using started = new AsyncDisposableStack()
  const running = started.use(await startTestService({ RADAR_PUBLIC_URL: 'https://radar.test' }))
  const alice = await tenant(running, 'Alice')
  const { appId } = started.use(await createAccountData(running, alice.owner, '404000001'))
  const { url } = started.use(await listen(laterVersionOf(running.url)))
  const folder = mkdtempSync(join(tmpdir(), 'radar-clients-'))
  started.defer(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['openapi.json', 'openapi.yaml'])
    writeFileSync(join(folder, name), (await running.request(`/${name}`)).text)
  const all = started.move()
  return { url, token: alice.token, appId, folder, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

function laterVersionOf(url: string) {
  return createServer(async (request, response) => {
    const { host: _, connection: __, 'accept-encoding': ___, ...headers } = request.headers
    const answer = await fetch(url + request.url, {
      method: request.method,
      headers: headers as Record<string, string>,
      ...(request.method === 'POST' && { body: await Array.fromAsync(request).then(Buffer.concat) }),
    })
    const body = (await answer.json()) as { readonly data?: readonly object[] }
    const rows = body.data && { data: body.data.map(withLaterField) }
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(withLaterField({ ...body, ...rows })))
  })
}

function withLaterField(value: object): object {
  return { ...value, added_later: { level: 1 } }
}

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
/** The time limit of each wait for a page. */
const WAIT_MS = 10_000

/** A host name of this machine that browsers do not trust without TLS, as they do not trust the address of another machine. */
export const PLAIN_HOST = 'radar.lan'

/** Headless Chromium without background requests. */
export async function openBrowser(): Promise<Browser & AsyncDisposable> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`,
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  return Object.assign(browser, { [Symbol.asyncDispose]: () => browser.close() })
}

export type Visitor = AsyncDisposable & {
  readonly page: Page
  readonly context: BrowserContext
  /** Script errors and other messages on the console of the browser, except failed requests. */
  readonly errors: readonly string[]
}

export type DisplayOptions = {
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
  readonly height?: number
  readonly timeZone?: string
}

/** A user with a separate browser context. */
export async function visit(
  browser: Browser,
  baseUrl: string,
  display: DisplayOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: baseUrl,
    colorScheme: display.colorScheme ?? 'light',
    viewport: { width: display.width ?? 1280, height: display.height ?? 860 },
    reducedMotion: 'reduce',
    locale: 'en-GB',
    ...(display.timeZone === undefined ? {} : { timezoneId: display.timeZone }),
  })
  context.setDefaultTimeout(WAIT_MS)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(`script error: ${error.message}`))
  page.on('console', (message) => {
    // Tests provoke failed requests, such as a wrong password; other errors are bugs.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) {
      errors.push(message.text())
    }
  })
  const close = async () => {
    // A request still in progress when the test ends must not fail it.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  }
  return { page, context, errors, [Symbol.asyncDispose]: close }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The violations that the accessibility checker finds: of some rules only, or within the elements of a CSS selector only. */
export async function findings(
  page: Page,
  {
    rules,
    within = 'html',
  }: { readonly rules?: readonly string[] | undefined; readonly within?: string } = {},
): Promise<string[]> {
  await page.evaluate(AXE)
  const asked = { within, options: rules === undefined ? {} : { runOnly: rules } }
  return page.evaluate(async ({ within, options }) => {
    const { axe } = window as unknown as {
      axe: {
        run: (
          within: string,
          options: object,
        ) => Promise<{
          violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
        }>
      }
    }
    const { violations } = await axe.run(within, options)
    return violations.flatMap(({ id, impact, nodes }) =>
      nodes
        .slice(0, 3)
        .map((node) => `${id} (${impact}): ${node.html.slice(0, 160)} — ${node.failureSummary}`),
    )
  }, asked)
}

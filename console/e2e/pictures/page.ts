import { chromium, type Page } from 'playwright-core'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** A page of the console in a new browser. */
export async function openPage(
  baseURL: string,
  viewport: { readonly width: number; readonly height: number },
): Promise<AsyncDisposable & { readonly page: Page }> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const page = await browser.newPage({ baseURL, viewport, locale: 'en-GB', reducedMotion: 'reduce' })
  page.setDefaultTimeout(60_000)
  return { page, [Symbol.asyncDispose]: () => browser.close() }
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { findings, openBrowser, visit } from './support/browser.ts'
import { startPopulatedConsole } from './support/populated-console.ts'
import { openAs } from './support/seeded-console.ts'

const SIZES = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 360, height: 740 },
] as const
/** The themes differ only in colours. */
const RULES = { light: undefined, dark: ['color-contrast'] } as const

/** Waits for the next frame and the end of colour transitions, because axe measures the colours of the moment. */
async function settle(): Promise<void> {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  const transitions = document.getAnimations().filter((each) => each instanceof CSSTransition)
  await Promise.allSettled(transitions.map(({ finished }) => finished))
}

/** The problems of the page as it is shown now, at each width in both themes. */
async function findingsOfAllDisplays(page: Page, name: string): Promise<string[]> {
  const found: string[] = []
  for (const size of SIZES) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.evaluate(settle)
      const where = `${name}, ${size.width} px, ${colorScheme}`
      found.push(
        ...(await findings(page, { rules: RULES[colorScheme] })).map((finding) => `${where}: ${finding}`),
      )
    }
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    if (width > size.width) found.push(`${name}, ${size.width} px: is ${width} px wide`)
  }
  await page.setViewportSize(SIZES[0])
  return found
}

async function waitUntilLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
}

test('every page has no accessibility violations, at three widths in both themes, and no script errors', async () => {
  await using populated = await startPopulatedConsole()
  await using visitor = await openAs(populated.running, populated.ann, SIZES[0])
  const { page } = visitor
  const found: string[] = []
  for (const path of populated.paths) {
    await page.goto(path)
    await waitUntilLoaded(page)
    found.push(...(await findingsOfAllDisplays(page, path)))
  }
  assert.deepEqual(found, [])
  assert.deepEqual(visitor.errors, [])
})

const click = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const choose = (name: string) => (page: Page) => page.getByRole('radio', { name }).click()

async function chooseSchedule(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Send', exact: true }).click()
  await page.getByRole('option', { name: 'One message a week' }).click()
  await page.getByRole('checkbox', { name: 'Quiet hours' }).check()
}

test('every form and dialog has no accessibility violations, at three widths in both themes', async () => {
  await using populated = await startPopulatedConsole()
  const { destinationPath, chatPath, appPath } = populated
  const forms: readonly (readonly [name: string, path: string, open: (page: Page) => Promise<unknown>])[] = [
    ...['Slack', 'Discord', 'Telegram', 'Teams', 'E-mail', 'HTTP request'].map(
      (type) => [`new ${type} destination`, '/destinations/new', choose(type)] as const,
    ),
    ['new destination with errors', '/destinations/new', click('Add destination')],
    ['schedule', chatPath, chooseSchedule],
    ['new subscription', destinationPath, click('Add a subscription')],
    ['rotation', destinationPath, click('Rotate secret')],
    ['removal', destinationPath, click('Delete')],
    ['recovery', destinationPath, click(/^Replay missed/)],
    ['storefronts', appPath, click('Edit storefronts')],
    [
      'end of tracking',
      appPath,
      async (page) => {
        await click('Edit storefronts')(page)
        await click('Stop tracking')(page)
      },
    ],
    [
      'new token',
      '/account/tokens',
      async (page) => {
        await page.getByLabel('Token name').fill('Reports')
        await page.getByRole('button', { name: 'Create token' }).click()
        await page.getByText(/^Copy the token/).waitFor()
      },
    ],
    ['second factor', '/account/sign-in', click(/^Turn on$/)],
    ['command palette', '/', (page) => page.keyboard.press('Control+k')],
    ['keyboard shortcuts', '/reviews', (page) => page.keyboard.press('?')],
    ['menu of views', '/reviews', click('Views')],
    ['menu of formats', '/reviews', click('Export')],
    ['menu of the user', '/', click(/signed in as/)],
    [
      'test event',
      '/inbox',
      (page) => page.getByRole('row').filter({ hasText: 'Test' }).getByRole('button').click(),
    ],
    [
      'delivery beside the list',
      '/deliveries',
      (page) => page.locator('tbody').getByRole('link').first().click(),
    ],
  ]
  await using visitor = await openAs(populated.running, populated.ann, SIZES[0])
  const { page } = visitor
  const found: string[] = []
  for (const [name, path, open] of forms) {
    await page.goto(path)
    await waitUntilLoaded(page)
    await open(page)
    found.push(...(await findingsOfAllDisplays(page, name)))
  }
  assert.deepEqual(found, [])
  assert.deepEqual(visitor.errors, [])
})

test('buttons keep their contrast under the pointer, in both themes', async () => {
  await using populated = await startPopulatedConsole()
  await using visitor = await openAs(populated.running, populated.ann, SIZES[0])
  const { page } = visitor
  const found: string[] = []
  const seen = new Set<string>()
  for (const path of [
    populated.destinationPath,
    '/account',
    '/account/tokens',
    '/account/alerts',
    '/account/sign-in',
  ]) {
    await page.goto(path)
    await waitUntilLoaded(page)
    for (const button of await page.locator('.mantine-Button-root:visible:enabled').all()) {
      const style = await button.evaluate((element) => {
        const { style, dataset } = element as HTMLElement
        return `${dataset.variant ?? 'filled'} ${style.getPropertyValue('--button-hover')}`
      })
      if (seen.has(style)) continue
      seen.add(style)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await button.hover()
        await page.evaluate(settle)
        const hovered = await findings(page, {
          rules: ['color-contrast'],
          within: '.mantine-Button-root:hover',
        })
        found.push(...hovered.map((finding) => `${style}, ${colorScheme}: ${finding}`))
      }
    }
  }
  for (const variant of ['filled', 'light', 'default']) {
    assert.ok(
      [...seen].some((style) => style.startsWith(variant)),
      `${variant}: ${[...seen].join('; ')}`,
    )
  }
  assert.deepEqual(found, [])
})

test('pages without a session have no accessibility violations, at three widths in both themes', async () => {
  await using populated = await startPopulatedConsole()
  await using browser = await openBrowser()
  await using visitor = await visit(browser, populated.running.url, SIZES[0])
  const { page } = visitor
  const found: string[] = []
  for (const path of ['/sign-in', '/accept/unknown', '/reset-password/unknown']) {
    await page.goto(path)
    await waitUntilLoaded(page)
    found.push(...(await findingsOfAllDisplays(page, path)))
  }
  assert.deepEqual(found, [])
  assert.deepEqual(visitor.errors, [])
})

import type { Locator, Page } from 'playwright-core'
import { addApp } from '../../../test/support/service.ts'
import { startBeforeSetup } from '../../../test/support/setup.ts'
import type { Frame } from './animated-png.ts'
import { openPage } from './page.ts'

const APP = { store: 'apple', appId: '1000000001', name: 'Larkspur Notes' } as const
const SIZE = { width: 960, height: 620 }
const STEP_MS = 1_800
const END_MS = 4_000

/** The way from the setup page to the first event. A ring shows each click. */
export async function firstEventFrames(): Promise<Frame[]> {
  await using service = await startBeforeSetup()
  const { code, running } = service
  addApp(running.world, APP, { average: '4.5', count: 1_000 }, ['us'])
  await using opened = await openPage(running.url, SIZE)
  const { page } = opened
  const frames: Frame[] = []
  const show = async (shownMs = STEP_MS) => {
    frames.push({ png: await page.screenshot(), shownMs })
  }
  const click = async (target: Locator) => {
    await target.waitFor()
    await target.scrollIntoViewIfNeeded()
    await ring(page, target)
    await show()
    await page.evaluate(() => document.getElementById('ring')?.remove())
    await target.click()
  }

  await page.goto('/')
  await page.getByLabel('Setup code').fill(code)
  await page.getByLabel('Your name').fill('Ann')
  await page.getByLabel('E-mail').fill('ann@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.keyboard.press('Enter')
  await click(page.getByRole('link', { name: 'Find your app' }))
  await page.getByLabel('App', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Larkspur')
  const found = page.getByRole('article', { name: APP.name })
  await click(found.getByRole('button', { name: 'Track', exact: true }))
  await click(page.getByRole('button', { name: 'Track in 1 storefront' }))
  await click(page.getByRole('button', { name: 'Show events in the inbox' }))
  await click(page.getByRole('button', { name: 'Send a test event' }))
  await page.getByRole('row').filter({ hasText: 'Test' }).waitFor()
  await page.mouse.move(0, 0)
  await show(END_MS)
  return frames
}

/** Marks the element that is clicked next. */
async function ring(page: Page, target: Locator): Promise<void> {
  const box = await target.boundingBox()
  if (box === null) throw new Error('the element is not visible')
  await page.evaluate(({ x, y, width, height }) => {
    const shown = document.createElement('div')
    shown.id = 'ring'
    Object.assign(shown.style, {
      position: 'fixed',
      left: `${x - 6}px`,
      top: `${y - 6}px`,
      width: `${width + 12}px`,
      height: `${height + 12}px`,
      border: '3px solid #e8590c',
      borderRadius: '10px',
      pointerEvents: 'none',
      zIndex: '9999',
    })
    document.body.append(shown)
  }, box)
}
